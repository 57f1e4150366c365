"""The functions a governed SELECT may call. A name that is not here is refused, whatever it does."""

from collections.abc import Mapping

from sqlglot import exp

from semantic_catalog.model import Dialect

_LOGIC = "And Or Xor Case If Coalesce Nullif Nvl2 Exists Greatest Least Cast TryCast"
_AGGREGATES = (
    "Count CountIf Sum Avg Min Max Stddev StddevPop StddevSamp Variance VariancePop Median Mode Quantile "
    "ApproxQuantile PercentileCont PercentileDisc GroupConcat ArrayAgg AnyValue ArgMax ArgMin LogicalAnd LogicalOr "
    "Corr CovarPop CovarSamp ApproxDistinct First Last Grouping GroupingId Kurtosis Skewness "
    "RegrSlope RegrIntercept RegrR2 RegrCount BitwiseAndAgg BitwiseOrAgg BitwiseXorAgg"
)
_WINDOWS = "RowNumber Rank DenseRank PercentRank CumeDist Ntile Lag Lead FirstValue LastValue NthValue"
_TEXT = (
    "Lower Upper Length ByteLength Trim Substring Left Right Replace Concat ConcatWs SplitPart StrPosition Initcap "
    "Reverse Pad Repeat Contains StartsWith EndsWith Translate SubstringIndex Ascii Chr RegexpLike RegexpILike "
    "RegexpExtract RegexpReplace RegexpCount Format NumberToStr ToChar ToNumber Levenshtein Soundex Space Elt "
    "MD5 Collate"
)
_NUMBERS = (
    "Abs Ceil Floor Round Sqrt Cbrt Exp Ln Log Pow Sign Trunc Pi Sin Cos Tan Asin Acos Atan Atan2 Degrees Radians "
    "WidthBucket SafeDivide Negative Rand"
)
_TIMES = (
    "CurrentDate CurrentTimestamp CurrentDatetime CurrentTime Localtime Localtimestamp UtcDate UtcTimestamp Extract "
    "Date DateAdd DateSub DateDiff DateTrunc DateFromParts DateStrToDate DateBin Datetime DatetimeAdd DatetimeDiff "
    "DatetimeSub DatetimeTrunc Timestamp TimestampAdd TimestampDiff TimestampSub TimestampTrunc TimestampFromParts "
    "Time TimeAdd TimeDiff TimeSub TimeTrunc TimeToStr TimeStrToDate TimeStrToTime TimeToUnix TimeStrToUnix "
    "StrToDate StrToTime StrToUnix UnixToTime UnixToStr UnixDate TsOrDsAdd TsOrDsDiff TsOrDsToDate TsOrDsToDateStr "
    "TsOrDsToDatetime TsOrDsToTimestamp TsOrDsToTime Year Quarter Month Week WeekOfYear YearOfWeek YearOfWeekIso Day "
    "DayOfMonth DayOfWeek DayOfWeekIso DayOfYear Dayname Monthname Hour Minute Second LastDay AddMonths MonthsBetween "
    "MakeInterval TimeFromParts ToDays JustifyDays JustifyHours JustifyInterval ConvertTimezone"
)
_LISTS = (
    "Array ArraySize ArrayContains ArrayLast ArrayFirst ArrayToString ArrayDistinct ArraySort "
    "Explode Unnest GenerateSeries "
    "ExplodingGenerateSeries GenerateDateArray StringToArray Split JSONExtract JSONExtractScalar JSONBExtract "
    "JSONBExtractScalar StructExtract Columns"
)


def _named(*groups: str) -> frozenset[type[exp.Expr]]:
    return frozenset(getattr(exp, name) for group in groups for name in group.split())


KNOWN: frozenset[type[exp.Expr]] = _named(_LOGIC, _AGGREGATES, _WINDOWS, _TEXT, _NUMBERS, _TIMES, _LISTS) - {
    exp.Columns
}

_POSTGRES = (
    "age date_part make_date make_timestamp isfinite justify_days justify_hours justify_interval width_bucket div gcd "
    "lcm scale trim_scale num_nulls num_nonnulls regr_avgx regr_avgy regr_sxx regr_sxy regr_syy char_length "
    "character_length octet_length btrim ltrim rtrim concat array_length cardinality statement_timestamp every "
    "json_build_object jsonb_build_object json_agg jsonb_agg"
)
_MYSQL = (
    "weekday time_to_sec sec_to_time timediff period_diff period_add makedate maketime addtime subtime to_days "
    "from_days yearweek field elt truncate std var_pop var_samp find_in_set instr locate microsecond json_unquote "
    "bit_length char_length character_length octet_length any_value strcmp to_seconds dayname monthname quarter "
    "mid unix_timestamp now curdate curtime adddate subdate bin conv crc32"
)
_DUCKDB = (
    "age date_part datepart isodow isoyear epoch epoch_ms julian century decade weekyear strftime strptime make_date "
    "make_timestamp time_bucket quantile_cont quantile_disc mad list_contains list_has len list_sum list_avg list_max "
    "list_min list_count round_even even instr prefix suffix ltrim rtrim array_length cardinality json_array_length "
    "histogram sem product geomean favg fsum list_sort list_distinct entropy hash"
)

BY_NAME: Mapping[Dialect, frozenset[str]] = {
    "postgres": frozenset(_POSTGRES.split()),
    "mysql": frozenset(_MYSQL.split()),
    "duckdb": frozenset(_DUCKDB.split()),
}
