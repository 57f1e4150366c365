from datetime import time

import pytest

from agent.scheduling.words import ScheduleWish, read_wish
from agent.values.schedule import Frequency


@pytest.mark.parametrize(
    ("text", "every", "at", "day"),
    [
        ("send me this every Monday at 9:00", "week", time(9), 0),
        ("Send me this every Monday 9:00", "week", time(9), 0),
        ("please send it to me each Friday at 6 pm", "week", time(18), 4),
        ("post this here on Tuesdays at 8.30", "week", time(8, 30), 1),
        ("send this every weekday at 8:30", "weekdays", time(8, 30), 0),
        ("send me this Monday to Friday at 7am", "weekdays", time(7), 0),
        ("send me this every day", "day", time(9), 0),
        ("schedule this daily at noon", "day", time(12), 0),
        ("send me this every month on the 15th at 9", "month", time(9), 15),
        ("send me this on the last day of every month at 18:00", "month", time(18), 31),
        ("send me this weekly", "week", time(9), 0),
        ("send me this every day at 12 am", "day", time(0), 0),
        ("envíame esto cada lunes a las 9:00", "week", time(9), 0),
        ("mándame esto todos los viernes a las 6 de la tarde", "week", time(18), 4),
        ("Envíame esto todos los días a las 8", "day", time(8), 0),
        ("programa esto de lunes a viernes a las 7:45", "weekdays", time(7, 45), 0),
        ("envíame este informe cada mes el día 15 a las 10", "month", time(10), 15),
        ("envía esto cada día laborable", "weekdays", time(9), 0),
        ("присылай мне это каждый понедельник в 9:00", "week", time(9), 0),
        ("присылай это по пятницам в 6 вечера", "week", time(18), 4),
        ("присылай это каждый день в 8", "day", time(8), 0),
        ("отправляй этот отчёт по будням в 8:30", "weekdays", time(8, 30), 0),
        ("присылай это каждый месяц 15 числа в 10:00", "month", time(10), 15),
        ("присылай мне это каждую среду в 10 утра", "week", time(10), 2),
    ],
)
def test_a_wish_says_when(text: str, every: Frequency, at: time, day: int) -> None:
    wish = read_wish(text)
    assert wish is not None
    assert (wish.every, wish.at) == (every, at)
    assert day in (wish.weekday, wish.month_day)
    assert wish.condition == ""


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("send me this every day at 9:00, only if approval rate < 85 %", "approval rate < 85 %"),
        ("alert me every weekday if the approval rate is below 85%", "the approval rate is below 85%"),
        ("envíame esto cada lunes a las 9:00 solo si la tasa de aprobación < 85 %", "la tasa de aprobacion < 85 %"),
        ("присылай это каждый день в 9:00, только если доля одобренных ниже 85 %", "доля одобренных ниже 85 %"),
    ],
)
def test_a_wish_may_have_a_condition(text: str, condition: str) -> None:
    wish = read_wish(text)
    assert wish is not None
    assert wish.condition == condition


def test_a_wish_may_name_its_zone() -> None:
    wish = read_wish("send me this every Monday at 9:00 Europe/Madrid")
    assert wish == ScheduleWish(every="week", at=time(9), locale="en", timezone="Europe/Madrid")
    assert wish.recurrence("America/Lima").timezone == "Europe/Madrid"
    plain = read_wish("send me this every Monday at 9:00")
    assert plain is not None
    assert plain.recurrence("America/Lima").timezone == "America/Lima"


@pytest.mark.parametrize(
    "text",
    [
        "approval rate every day last week",
        "send me approval rate by channel every Monday at 9:00",
        "sales every Monday of October",
        "show me the transactions of every day",
        "show sales by day",
        "show this by day",
        "every Monday at 9:00",
        "send me this at 9:00",
        "send me this every Monday at 25:00",
        "ventas de cada lunes",
        "muestra las ventas de cada día",
        "продажи по понедельникам",
        "покажи это по дням",
        "send me this",
        "",
    ],
)
def test_questions_stay_questions(text: str) -> None:
    assert read_wish(text) is None


def test_a_form_needs_no_verb() -> None:
    wish = read_wish("every Monday; at 9:00; only if approval rate < 85 %", whole=False)
    assert wish is not None
    assert (wish.every, wish.condition) == ("week", "approval rate < 85 %")
    assert read_wish("approval rate every Monday", whole=False) is None
