"""10,000 trips through the import, against batches of three one after another and a bare loop of ready-made batches.

One service with 20 ms added latency, and travellers that it knows. The import begins with rows that are checked, as at
the press of the button: it makes itineraries of them, writes each down before the call and its fate after it, asks
before each batch what stands already, and sends several at once. The bare loop is as many threads that post bodies
which were made before the clock starts. Batches of three are timed over a part of the trips, since all would take
minutes, each batch as long as the other.
"""

from typing import Final

TRIPS: Final = 10_000
ROUNDS: Final = 3
BY_THREE: Final = 600
"""So many trips are sent by threes."""
TIMES_FASTER: Final = 30
TIMES_THE_LOOP: Final = 1.25
_LATENCY: Final = {"kind": "latency", "milliseconds": 20}
_PATH: Final = "/itineraries/8800/batch?autoCreateContact=false"
