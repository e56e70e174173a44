"""Makes tweets.json.gz: the fields of schemas/tweets.json of all 100 statuses and of the statuses that they retweet.

Usage: python3 extract.py twitter.json.gz tweets.json.gz
"""

import gzip
import json
import pathlib
import sys

SCHEMA = json.loads(
    (pathlib.Path(__file__).parent.parent / "schemas/tweets.json").read_text()
)
RECORDS = {record["record"]: record["fields"] for record in SCHEMA["types"]}


def shaped(kind, value):
    """The value with the fields that the schema has, in the schema's order."""
    if isinstance(kind, dict) and "list" in kind:
        return [shaped(kind["list"], item) for item in value]
    if isinstance(kind, str) and kind in RECORDS:
        return {
            field["name"]: shaped(field["type"], value[field["name"]])
            for field in RECORDS[kind]
        }
    return value


def main():
    source, target = sys.argv[1:]
    with gzip.open(source) as file:
        statuses = json.load(file)["statuses"]
    tweets = []
    for status in statuses:
        tweets.append(shaped("Tweet", status))
        if "retweeted_status" in status:
            tweets.append(shaped("Tweet", status["retweeted_status"]))
    text = json.dumps(tweets, ensure_ascii=False, separators=(",", ":"))
    pathlib.Path(target).write_bytes(gzip.compress(text.encode(), mtime=0))


main()
