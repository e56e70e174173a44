"""Makes the extracts in this folder from their sources; PROVENANCE.md has the commands.

Reads standard input and writes standard output. Every choice is by position or length, so that the same source gives
the same extract. Needs Python 3.9 or newer and nothing else.
"""

import csv
import json
import sys
import uuid


def evenly(items, count):
    """`count` items at even distances, the first one included."""
    return [items[index * len(items) // count] for index in range(count)]


def geo_points(source):
    """1,000 of the first 67,627 places, from CSV with the columns id, longitude, latitude and population."""
    places = list(csv.DictReader(source))[:67_627]
    points = [
        {
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, place["id"])),
            "status": 0 if place["population"] == "" else 1,
            "longitude": float(place["longitude"]),
            "latitude": float(place["latitude"]),
        }
        for place in evenly(places, 1000)
    ]
    return json.dumps(points, separators=(",", ":"))


def lines(source):
    """50 lines at even distances."""
    return "".join(evenly(list(source), 50))


def shortest_lines(source):
    """The 50 shortest lines, in the order of the source."""
    everything = list(source)
    by_length = sorted(range(len(everything)), key=lambda index: (len(everything[index].encode()), index))
    return "".join(everything[index] for index in sorted(by_length[:50]))


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8", newline="")
    sys.stdout.reconfigure(encoding="utf-8", newline="")
    ways = {way.__name__: way for way in (geo_points, lines, shortest_lines)}
    if len(sys.argv) != 2 or sys.argv[1] not in ways:
        sys.exit(f"usage: python3 extract.py {'|'.join(ways)} < source > extract")
    sys.stdout.write(ways[sys.argv[1]](sys.stdin))
