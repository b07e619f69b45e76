"""A correction: a new alert with the reach of the one it corrects, begun in words that say so."""

from __future__ import annotations

from typing import Final

from components.alert_wording.contradictions import taken_for_real
from components.alert_wording.skeleton import sender_of
from components.public_alerts.draft import AlertDraft
from components.public_alerts.starting_wordings import TO_DO_NOW, TRUE_NOW, WHO

MARK: Final = "CORRECTION"


def draft_of_correction(
    sent: AlertDraft, *, corrects: int | None = None, sent_at: str = "", false_alarm: bool = False
) -> AlertDraft:
    """A new draft that corrects a sent one; `corrects` is its id, `sent_at` its time as the public knows it ("14:05").

    Who is reached stays as it was, and so do type and levels: they decide who is told, and a correction has to reach
    the same phones. A sent alert cannot be withdrawn, so the words have to do it.
    """
    subject = sent.event or _without_mark(sent.title)
    earlier = f"our alert{f' of {sent_at}' if sent_at else ''}{f' ({subject})' if subject else ''}"
    # By its words and levels: what is only filed as a test was a warning to whoever read it.
    is_test = sent.is_test and not taken_for_real(sent)
    if is_test:
        truth = "It was a test. There is no emergency. You need not do anything."
    elif false_alarm:
        truth = "It was sent by mistake. There is no emergency. You need not do anything."
    else:
        truth = f"{TRUE_NOW} {TO_DO_NOW}"
    start = f"{MARK} from {sender_of(sent) or WHO}: Disregard {earlier}."
    fresh = AlertDraft()
    return sent.model_copy(
        deep=True,
        update={
            "uid": fresh.uid,
            "title": f"Correction: {_without_mark(sent.title) or sent.event}".rstrip(": "),
            "text": f"{start} {truth}" if sent.text.strip() else "",
            "sms": f"{start} {truth}",
            "instructions": "" if is_test or false_alarm or not sent.instructions.strip() else TO_DO_NOW,
            "corrects": corrects,
            "stage": fresh.stage,
            "checked": fresh.checked,
            "refused": [],
        },
    )


def _without_mark(title: str) -> str:
    words = title.strip()
    while words.casefold().startswith("correction:"):
        words = words[len("correction:") :].strip()
    return words
