"""What a script of a team does with two runs: rows are checked and digested, so that a changed case
is seen; the pairs of each score give a t test, counts of better and worse cases, means and percentiles.
Arguments: the file of this run, that of the baseline."""
import hashlib
import json
import math
import resource
import statistics
import sys
import time


def case_of(row):
    scores = {name: value for name, value in row.items() if isinstance(value, (int, float))}
    if not all(math.isfinite(value) for value in scores.values()):
        raise ValueError(f"{row['id']} has a score that is no number")
    asked = json.dumps([row["input"], row["expected"]], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(asked.encode()).digest(), scores


def read(path):
    cases = {}
    with open(path, encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["id"] in cases:
                raise ValueError(f"{row['id']} is there twice")
            cases[row["id"]] = case_of(row)
    return cases


def compare(pairs, metric):
    now, before = zip(*((now[metric], before[metric]) for now, before in pairs))
    changes = [after - first for after, first in zip(now, before)]
    count, mean = len(changes), sum(changes) / len(changes)
    spread = math.sqrt(sum((change - mean) ** 2 for change in changes) / (count - 1))
    return {
        "means": [sum(side) / count for side in (now, before)],
        "t": mean / spread * math.sqrt(count),
        "worse": sum(change < 0 for change in changes),
        "better": sum(change > 0 for change in changes),
        "percentiles": statistics.quantiles(now, n=100)[49:99:45],
    }


begin = time.perf_counter()
now, before = (read(path) for path in sys.argv[1:])
shared = [(now[key], before[key]) for key in now.keys() & before.keys()]
pairs = [(scores, first) for (digest, scores), (other, first) in shared if digest == other]
compared = {metric: compare(pairs, metric) for metric in pairs[0][0]}
seconds = time.perf_counter() - begin
print(json.dumps(compared))
print(json.dumps({"seconds": seconds, "peakKilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
