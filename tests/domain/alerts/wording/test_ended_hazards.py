"""An all clear is about the hazard of the alert that it follows, in each of its texts."""

from __future__ import annotations

import pytest

from domain.alerts.draft import ALL_CLEAR, AlertDraft
from domain.alerts.wording.contradictions import advice
from domain.alerts.wording.hazards_in_text import find_unrelated_hazard

GAS = "City of Alamosa: Gas leak at 400 Main St, Alamosa. Leave the building. If you see fire, call 911."
LEAVE = "Wildfire near Lyons. Leave now."
CHEMICAL = "City of Denver: Chemical leak near the rail yard. Stay inside and close windows until 8 PM."
MISSING = "Denver Police: Missing girl, 7, last seen at City Park. Call 911."
POWER = "Power is out in Denver until 8 PM. Keep fridges shut."
BOIL = "Boil water before drinking until Sunday."
TORNADO = "Tornado near Denver. Take shelter now."
FLOOD = "Flash flood on the Poudre. Move to higher ground."


@pytest.mark.parametrize(
    ("event", "text", "sent", "words"),
    [
        ("Gas Leak", "The flood in our 14:05 alert (Gas Leak) for Alamosa is over.", GAS, "flood"),
        ("Gas Leak", "All clear: Gas leak in Alamosa. The flood in Alamosa is over.", GAS, "flood"),
        ("Gas Leak", "The fire in our alert (Gas Leak) for Alamosa is out.", GAS, "fire"),
        ("Gas Leak", "There is no longer a flood danger in Alamosa. You may return home.", GAS, "flood"),
        ("Gas Leak", "TODO DESPEJADO. Longmont Fire: la inundación terminó. Ya puede regresar.", GAS, "inundación"),
        ("Gas Leak", "FIN (Gas Leak): ya no hay peligro de inundación en Alamosa.", GAS, "inundación"),
        ("Flash Flood Warning", "All clear. The gas leak on Elm Street is repaired. You may go.", FLOOD, "gas leak"),
        ("Wildfire", "Evacuation orders for the flood are lifted. You may return home.", LEAVE, "flood"),
        ("Evacuation Immediate", "The flood is over. Return home.", LEAVE, "flood"),
        ("Chemical Emergency", "Power has been restored in Denver.", CHEMICAL, "Power has been restored"),
        ("Chemical Emergency", "Fin de la emergencia: ya volvió la luz en todo Denver.", CHEMICAL, "la luz"),
        (
            "Chemical Emergency",
            "Todo despejado. Se restableció el servicio eléctrico.",
            CHEMICAL,
            "el servicio eléctrico",
        ),
        ("Chemical Emergency", "All clear. The trains are running again.", CHEMICAL, "trains are running"),
        ("Boil Order", "Terminó la emergencia. La energía fue restablecida.", BOIL, "La energía fue restablecida"),
        ("Wildfire", "All clear. Water service has been restored. You can use your taps.", LEAVE, "Water service"),
        ("Gas Leak", "All clear: cell phone service has been restored.", GAS, "phone service has been restored"),
        ("Tornado Warning", "All clear. The road has reopened. You may travel again.", TORNADO, "road has reopened"),
        (
            "Tornado Warning",
            "All clear. Se restableció el servicio de agua.",
            TORNADO,
            "Se restableció el servicio de agua",
        ),
        ("Power Outage", "All clear. Traffic is back to normal.", POWER, "Traffic is back"),
        ("Missing Child", "The gas is back on. You may return home.", MISSING, "gas is back"),
    ],
)
def test_an_all_clear_about_another_hazard_is_reported(event: str, text: str, sent: str, words: str) -> None:
    found = find_unrelated_hazard(event, text, sent)
    assert found is not None
    assert words in found.words


@pytest.mark.parametrize(
    ("event", "text", "sent"),
    [
        ("Gas Leak", "The emergency described in our 14:05 alert (Gas Leak) for Alamosa is over.", GAS),
        ("Gas Leak", "The gas leak is fixed. There was no fire, and nobody was hurt.", GAS),
        ("Gas Leak", "Se reparó la fuga de gas. Ya no hay peligro de explosión.", GAS),
        ("Flash Flood Warning", "The flood is over. The boil water notice is lifted too. You may return.", FLOOD),
        ("Flash Flood Warning", "Flood waters have receded. Power has been restored.", FLOOD),
        ("Wildfire", "The fire near Lyons is contained. The evacuation is lifted.", LEAVE),
        ("Evacuation Immediate", "Evacuation lifted. The fire is out.", "Leave now."),
        ("Earthquake", "No more aftershocks are expected. The tsunami threat has passed.", "Earthquake."),
        ("Wildfire", "You may return home. Power and water have been restored.", LEAVE),
        ("Flash Flood Warning", "Pasó el peligro. Ya hay luz y agua. Puede regresar a casa.", FLOOD),
        ("Tornado Warning", "Ya puede salir de su casa. Reporte cortes de luz al 311.", TORNADO),
        ("Chemical Emergency", "The shelter in place is lifted. Roads have reopened.", CHEMICAL),
        ("Power Outage", "Denver: ya volvió la luz. Puede usar sus aparatos.", POWER),
        ("Boil Order", "Power to the plant is restored and tap water is safe.", BOIL),
        ("Telecommunications Emergency", "911 calls are working again.", "Calls to 911 fail. Text 911."),
        ("Chemical Emergency", "The chemical leak is over. Power will be restored at 6 PM.", CHEMICAL),
        ("Gas Leak", "Denver Fire ALL CLEAR: the leak was repaired and Main St reopened.", GAS),
        ("Police Activity", "All clear. Roads are open again.", "Police activity at Colfax. Avoid the area."),
        ("Suspect Wanted", "The man is in custody. Streets reopened.", "Armed robber at large. Lock doors."),
        ("High Wind Warning", "The winds have died down. The fire warning has expired.", "High winds."),
    ],
)
def test_what_an_alert_brought_with_it_may_be_over_too(event: str, text: str, sent: str) -> None:
    assert find_unrelated_hazard(event, text, sent) is None


@pytest.mark.parametrize("part", ["title", "text", "sms"])
def test_each_text_is_compared_with_the_alert(part: str) -> None:
    texts = {"title": "All clear: Gas leak", "sms": "The gas leak in Alamosa is over. You may return."}
    draft = AlertDraft(
        event="Gas Leak",
        follow_up=ALL_CLEAR,
        sent_event="Gas Leak",
        sent_texts={"sms": GAS},
        **texts | {part: "The flood in Alamosa is over"},
    )
    assert any("“flood”, but this alert follows the alert “Gas Leak”" in each.words for each in advice(draft))
