"""Two variants, or two runs, on the same cases in; paired differences and what they rest on out.

sides         rows and units of one variant of one run, by metric and case
definitions   what two runs asked alike, and what not
pairing       two sides -> the values of one metric on the cases that both have, and who was left out, why
clusters      which cases are not independent of each other
differences   all pairs together -> intervals, tests, adjusted p-values, verdicts
wording       figures and verdict sentences
flips         the cases behind a difference, worst and best first
deciding      which differences are a regression
"""
