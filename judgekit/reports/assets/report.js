// The page, in the order of a reader's questions: did it pass, what changed, how sure is that, which case, at what cost.

document.getElementById("top").append(...header().filter(Boolean));

append(document.getElementById("main"), [
  decisionSection(),
  agentsSection(),
  warningsSection(),
  comparisonSection(),
  variantsSection(),
  scoresSection(),
  casesSection(),
  costSection(),
  judgesSection(),
  madeWithSection(),
]);

window.addEventListener("hashchange", followAddress);
followAddress();
