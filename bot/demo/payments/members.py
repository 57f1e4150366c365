"""The member values of the payments domain and how often each one comes up.

Position matters: the generator works on positions and names them when it writes rows.
"""

CHANNELS = ("ecommerce", "pos", "mobile", "atm")
BRANDS = ("Visa", "Mastercard", "Amex", "Diners")
REGIONS = ("Lima", "Arequipa", "Cusco", "Trujillo", "Piura")
SEGMENTS = ("enterprise", "mid-market", "small business")
CURRENCIES = ("PEN", "USD")
STATUSES = ("declined", "approved")
OUTCOMES = ("won", "lost", "open")

MCCS = ("5411", "5812", "5541", "4511", "7011", "5732", "5912", "5651", "4814", "8220")
MCC_DESCRIPTIONS = (
    "Grocery Stores",
    "Restaurants",
    "Service Stations",
    "Airlines",
    "Hotels",
    "Electronics Stores",
    "Pharmacies",
    "Clothing Stores",
    "Telecommunications",
    "Universities",
)

RESPONSE_CODES = ("00", "05", "51", "54", "57", "61", "91")
RESPONSE_REASONS = (
    "Approved",
    "Do Not Honor",
    "Insufficient Funds",
    "Expired Card",
    "Transaction Not Permitted",
    "Exceeds Limit",
    "Issuer Unavailable",
)

CHARGEBACK_CODES = ("10.4", "13.1", "12.6", "13.3", "11.3")
CHARGEBACK_REASONS = (
    "Fraud – Card Absent",
    "Merchandise Not Received",
    "Duplicate Processing",
    "Not as Described",
    "No Authorization",
)

# Merchants of each MCC; they add up to 200.
MERCHANTS_PER_MCC = (34, 38, 22, 5, 20, 16, 22, 24, 9, 10)
REGION_WEIGHTS = (55, 15, 8, 12, 10)
TOURISM_REGION_WEIGHTS = (40, 14, 30, 8, 8)
TOURISM_MCCS = (3, 4)

# Per MCC: the middle amount in céntimos, and the weights of channels, brands and currencies.
MIDDLE_AMOUNTS = (8_500, 7_200, 11_500, 82_000, 41_000, 56_000, 4_600, 12_800, 6_400, 118_000)
CHANNEL_WEIGHTS = (
    (12, 70, 17, 1),
    (16, 60, 22, 2),
    (1, 85, 12, 2),
    (78, 6, 15, 1),
    (56, 34, 9, 1),
    (44, 45, 10, 1),
    (14, 68, 16, 2),
    (36, 50, 13, 1),
    (30, 14, 44, 12),
    (58, 20, 12, 10),
)
BRAND_WEIGHTS = (
    (55, 32, 6, 7),
    (54, 31, 9, 6),
    (56, 33, 5, 6),
    (44, 26, 21, 9),
    (45, 27, 19, 9),
    (51, 32, 10, 7),
    (56, 33, 5, 6),
    (52, 33, 9, 6),
    (55, 34, 5, 6),
    (53, 32, 8, 7),
)
CURRENCY_WEIGHTS = (
    (98, 2),
    (95, 5),
    (98, 2),
    (68, 32),
    (66, 34),
    (91, 9),
    (98, 2),
    (94, 6),
    (97, 3),
    (90, 10),
)

# Approval per thousand attempts: a base for the channel, corrected by brand, MCC and currency.
APPROVAL_BY_CHANNEL = (858, 948, 908, 930)
APPROVAL_BY_BRAND = (4, 2, -14, -24)
APPROVAL_BY_MCC = (6, 2, 8, -24, -10, -16, 8, 0, 4, -8)
APPROVAL_BY_CURRENCY = (0, -22)
OUTAGE_APPROVAL = 430

# Weights of the response codes of declined attempts, without '00'.
DECLINE_WEIGHTS = (28, 38, 9, 8, 9, 8)
OUTAGE_DECLINE_WEIGHTS = (6, 6, 2, 2, 2, 82)

# Fees in hundredths of a percent of the approved amount.
FEE_BY_BRAND = (230, 235, 320, 300)
FEE_BY_CHANNEL = (60, 0, 20, -40)
FEE_BY_SEGMENT = (-70, -20, 40)

# Chargebacks per 100 000 approved transactions, and the weights of their reasons, per channel.
CHARGEBACKS_BY_CHANNEL = (2_220, 310, 980, 120)
CHARGEBACK_WEIGHTS = (
    (46, 27, 8, 15, 4),
    (6, 4, 38, 22, 30),
    (40, 22, 14, 16, 8),
    (10, 0, 45, 5, 40),
)

# Seasonality in percent: by weekday from Monday, by calendar month for everyone and for each MCC.
WEEKDAY_WEIGHTS = (90, 88, 92, 98, 116, 126, 104)
MONTH_WEIGHTS = (94, 90, 98, 97, 102, 98, 112, 101, 97, 101, 106, 136)
MCC_MONTH_WEIGHTS = (
    (100, 100, 100, 100, 100, 100, 102, 100, 100, 100, 100, 112),
    (100, 104, 98, 100, 104, 98, 108, 100, 98, 100, 100, 108),
    (106, 104, 100, 104, 98, 98, 108, 98, 98, 98, 98, 106),
    (112, 96, 92, 100, 94, 98, 132, 116, 92, 94, 98, 124),
    (104, 100, 92, 104, 100, 112, 138, 124, 98, 98, 90, 94),
    (88, 90, 96, 94, 108, 98, 112, 96, 92, 98, 128, 142),
    (98, 98, 102, 104, 108, 112, 110, 104, 100, 98, 96, 98),
    (88, 90, 98, 98, 108, 102, 112, 94, 92, 98, 110, 148),
    (100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100),
    (84, 128, 176, 92, 80, 84, 120, 150, 88, 82, 78, 74),
)
