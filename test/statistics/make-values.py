"""Makes more-values.json: cases in the form of values.json, from scipy and statsmodels.

python make-values.py > more-values.json && npx oxfmt more-values.json
"""

import json
import math

import numpy
import scipy
import statsmodels
import statsmodels.api
from scipy import integrate, optimize, special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

cases = []
random = numpy.random.default_rng(7)


def add(name, what, given, expected, tolerance, verified_by):
    plain = {key: value.item() if hasattr(value, "item") else value for key, value in expected.items()}
    cases.append(
        {
            "id": name,
            "what": what,
            "input": given,
            "expected": plain,
            "tolerance": tolerance,
            "verified_by": verified_by,
        }
    )


def rounded(values, digits):
    return [round(float(value), digits) for value in values]


for passed, n in [(0, 1), (0, 30), (1, 7), (50, 100), (99999, 100000)]:
    low, high = proportion_confint(passed, n, alpha=0.05, method="wilson")
    add(f"wilson-{passed}-of-{n}", "wilson-95", {"passed": passed, "n": n}, {"low": low, "high": high}, 1e-9,
        "statsmodels proportion_confint")

for worse, better in [(1, 0), (2, 9), (17, 33), (40, 41), (2500, 2700), (50400, 49600)]:
    p = stats.binomtest(worse, worse + better).pvalue
    add(f"mcnemar-{worse}-{better}", "mcnemar-exact-two-sided", {"newly_failing": worse, "fixed": better}, {"p": p}, 1e-9,
        "scipy binomtest")


def melded(x, y, n, tail):
    """The `tail` quantile, by adaptive quadrature over the density of T."""
    m = x + y
    upper = stats.beta(m + 1, n - m) if m < n else None
    lower = stats.beta(m, n - m + 1) if m > 0 else None
    if x == 0:
        return -1.0 if upper is None else -upper.ppf(1 - tail)
    t = stats.beta(x, y + 1)

    def at_most(w):
        def value(at):
            if w < 0:
                return 1.0 if upper is None else upper.sf(w / (2 * at - 1))
            return lower.cdf(w / (2 * at - 1))

        near = (1 + w) / 2
        if w < 0:
            ends = (0, near)
            sure = 0
        else:
            ends = (near, 1)
            sure = t.cdf(near)
        marks = [at for at in t.ppf([1e-12, 1e-6, 0.01, 0.25, 0.5, 0.75, 0.99, 1 - 1e-6]) if ends[0] < at < ends[1]]
        area = integrate.quad(lambda at: t.pdf(at) * value(at), *ends, points=marks or None, limit=400, epsabs=1e-12)[0]
        return sure + area

    if t.cdf(0.5) > tail:
        return optimize.brentq(lambda w: at_most(w) - tail, -1 + 1e-12, -1e-12, xtol=1e-12)
    return optimize.brentq(lambda w: at_most(w) - tail, 1e-12, 1 - 1e-12, xtol=1e-12)


for worse, better, n in [(1, 0, 20), (0, 9, 15), (8, 8, 16), (25, 5, 60), (3, 14, 150), (80, 120, 1000)]:
    low = melded(better, worse, n, 0.025)
    high = -melded(worse, better, n, 0.025)
    p = 1.0 if worse == better else stats.binomtest(worse, worse + better).pvalue
    add(f"paired-interval-{worse}-{better}-{n}", "paired-binary-interval-95",
        {"newly_failing": worse, "fixed": better, "n": n},
        {"change": (better - worse) / n, "low": low, "high": high, "p": p}, 1e-6,
        "adaptive quadrature of the definition with scipy; scipy binomtest")

for worse, better, n, margin in [(0, 0, 299, 0.01), (5, 0, 100, 0.1), (2, 2, 40, 0.05), (0, 8, 60, 0.02), (30, 31, 500, 0.03)]:
    bound = melded(better, worse, n, 0.05)
    add(f"not-worse-{worse}-{better}-{n}-{margin}", "not-worse-binary",
        {"newly_failing": worse, "fixed": better, "n": n, "margin": margin},
        {"bound": bound, "holds": bool(bound > -margin)}, 1e-6, "adaptive quadrature of the definition with scipy")


def flip_p(differences):
    """Share of the sums with any signs that are as far from 0: a distribution over hundredths."""
    sizes = [round(abs(value) * 100) for value in differences if round(abs(value) * 100)]
    seen = abs(sum(round(value * 100) for value in differences))
    total = sum(sizes)
    ways = [0] * (2 * total + 1)
    ways[total] = 1
    for size in sizes:
        ways = [(ways[at - size] if at >= size else 0) + (ways[at + size] if at + size <= 2 * total else 0)
                for at in range(2 * total + 1)]
    return sum(count for at, count in enumerate(ways) if abs(at - total) >= seen) / 2 ** len(sizes)


for n, mean in [(2, 0.0), (9, -0.05), (18, 0.02), (33, -0.03), (40, 0.01)]:
    differences = rounded(random.normal(mean, 0.1, n), 2)
    t = stats.ttest_1samp(differences, 0)
    interval = t.confidence_interval()
    add(f"signflip-random-{n}", "paired-numeric", {"differences": differences},
        {"n": n, "change": numpy.mean(differences), "p_signflip": flip_p(differences), "low": interval.low,
         "high": interval.high, "p_t": t.pvalue}, 1e-9, "distribution over hundredths; scipy ttest_1samp")

for n in [2, 75, 400]:
    differences = rounded(random.standard_t(4, n) / 20, 3)
    t = stats.ttest_1samp(differences, 0)
    interval = t.confidence_interval()
    add(f"t-random-{n}", "paired-numeric", {"differences": differences},
        {"n": n, "change": numpy.mean(differences), "low": interval.low, "high": interval.high, "p_t": t.pvalue}, 1e-9,
        "scipy ttest_1samp")

# Drawn and left: the numbers below stay as they were.
for n in [20, 60, 150]:
    random.choice([-0.5, -0.25, 0, 0, 0, 0, 0.25], n)

for ps in [[0.5], [0.02, 0.02, 0.02], [0.9, 0.6, 0.001, 0.013, 0.012, 0.04]]:
    rejected, adjusted, _, _ = multipletests(ps, method="holm")
    add(f"holm-of-{len(ps)}", "holm", {"p": ps, "alpha": 0.05},
        {"adjusted": adjusted.tolist(), "rejected": rejected.tolist()}, 1e-12, "statsmodels multipletests")

for count, size in [(8, 3), (30, 5)]:
    names = numpy.repeat([f"d{at}" for at in range(count)], random.integers(1, size + 1, count))
    effects = {name: random.normal(0, 0.1) for name in names}
    differences = rounded([effects[name] + random.normal(0, 0.1) for name in names], 2)
    fit = statsmodels.api.OLS(differences, numpy.ones(len(differences))).fit(
        cov_type="cluster", cov_kwds={"groups": names, "df_correction": True}, use_t=True)
    groups = len(set(names))
    # The package multiplies by (n − 1) / (n − 1) for a mean, so its factor is G / (G − 1).
    low, high = fit.conf_int()[0]
    sums = [round(sum(value for value, name in zip(differences, names) if name == each), 2) for each in sorted(set(names))]
    add(f"clustered-{count}", "clustered", {"differences": differences, "clusters": names.tolist()},
        {"change": numpy.mean(differences), "se": fit.bse[0],
         "se_unclustered": stats.sem(differences), "clusters": groups, "low": low, "high": high,
         "p_signflip_of_cluster_sums": flip_p(sums)}, 1e-9, "statsmodels OLS(cov_type=cluster); distribution over hundredths")

for sd, size in [(0.1, 0.01), (0.5, 0.1)]:
    z = stats.norm.ppf(0.8)
    add(f"needed-n-{sd}-{size}", "needed-n", {"sd_of_differences": sd, "change": size, "alpha": 0.05, "power": 0.8},
        {"two_sided": math.ceil(((stats.norm.ppf(0.975) + z) * sd / size) ** 2),
         "not_worse": math.ceil(((stats.norm.ppf(0.95) + z) * sd / size) ** 2)}, 0, "formula with scipy quantiles")

for flipping, size in [(0.3, 0.1), (0.02, 0.01)]:
    z = stats.norm.ppf(0.8)
    n = (stats.norm.ppf(0.975) * math.sqrt(flipping) + z * math.sqrt(flipping - size**2)) ** 2 / size**2
    add(f"needed-n-discordant-{flipping}-{size}", "needed-n-binary",
        {"discordant_share": flipping, "change": size, "alpha": 0.05, "power": 0.8}, {"two_sided": math.ceil(n)}, 0,
        "formula of Connor (1987) with scipy quantiles")

for between, within, trials in [(0.02, 0.09, 10), (0.005, 0.04, 2)]:
    n = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 * (between + 2 * within / trials) / 0.03**2
    add(f"needed-n-trials-{between}-{trials}", "needed-n-trials",
        {"variance_between": between, "variance_within": within, "trials": trials, "change": 0.03, "alpha": 0.05, "power": 0.8},
        {"two_sided": math.ceil(n)}, 0, "formula of Miller (2024) with scipy quantiles")

for low, high, scores in [(0, 1, [0.2, 0.9, 0.4, 0.5]), (1, 5, [5, 4, 4, 5, 3, 5, 5, 5, 2, 5, 4, 5, 5, 5, 5, 1])]:
    shares = (numpy.array(scores) - low) / (high - low)
    mean, error = shares.mean(), stats.sem(shares)
    half = stats.t.ppf(0.975, len(scores) - 1) * error / (mean * (1 - mean))
    ends = special.expit(special.logit(mean) + numpy.array([-half, half])) * (high - low) + low
    plain = stats.t.interval(0.95, len(scores) - 1, numpy.mean(scores), stats.sem(scores))
    add(f"bounded-mean-{low}-{high}", "bounded-mean-interval-95", {"scores": scores, "range": [low, high]},
        {"mean": numpy.mean(scores), "low": ends[0], "high": ends[1], "t_low": plain[0], "t_high": plain[1]}, 1e-9,
        "scipy t interval, logit and expit")

baseline = rounded(random.lognormal(7, 0.5, 19), 0)
current = rounded(numpy.array(baseline) * random.lognormal(0.05, 0.2, 19), 0)
logs = numpy.log(current) - numpy.log(baseline)
interval = stats.ttest_1samp(logs, 0).confidence_interval()
flips = stats.permutation_test((logs,), lambda a, axis: numpy.mean(a, axis=axis), permutation_type="samples", n_resamples=math.inf)
add("latency-random-19", "latency", {"baseline_ms": baseline, "current_ms": current},
    {"ratio": math.exp(logs.mean()), "low": math.exp(interval.low), "high": math.exp(interval.high),
     "p_signflip": flips.pvalue, "p50": sorted(current)[9], "p95": sorted(current)[18]}, 1e-8,
    "scipy ttest_1samp and permutation_test of the logarithms; nearest rank")

for a, b, x in [(0.5, 0.5, 0.3), (2, 3, 0.3), (1, 1000, 0.001), (300, 20, 0.95), (50001, 50000, 0.5), (1e6, 2e6, 0.3335), (4.5, 0.5, 1e-6)]:
    add(f"beta-{a}-{b}-{x}", "incomplete-beta", {"a": a, "b": b, "x": x}, {"value": special.betainc(a, b, x)}, 1e-11,
        "scipy betainc")

for tail, freedom in [(0.025, 1), (0.025, 2), (0.05, 14), (0.025, 99), (0.0005, 30), (0.025, 100000)]:
    add(f"t-quantile-{tail}-{freedom}", "t-quantile", {"tail": tail, "freedom": freedom},
        {"value": stats.t.isf(tail, freedom)}, 1e-9, "scipy t.isf")

for tail in [0.5, 0.2, 0.05, 0.025, 0.0001]:
    add(f"normal-quantile-{tail}", "normal-quantile", {"tail": tail}, {"value": stats.norm.isf(tail)}, 1e-9, "scipy norm.isf")

print(json.dumps({
    "schema": 1,
    "made_with": {"numpy": numpy.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
    "cases": cases,
}, indent=1))
