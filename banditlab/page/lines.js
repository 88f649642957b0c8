// The lines of a figure from the regret that was played here; means and intervals as banditlab/evidence has them.

function moments(rows) {               // of every column: mean and standard error, summed run by run as numpy sums
  const n = rows.length, mean = new Array(rows[0].length).fill(0), error = mean.slice();
  for (const row of rows) row.forEach((x, k) => { mean[k] += x; });
  mean.forEach((sum, k) => { mean[k] = sum / n; });
  for (const row of rows) row.forEach((x, k) => { error[k] += (x - mean[k]) ** 2; });
  return {mean, error: error.map(sum => Math.sqrt(sum / (n - 1)) / Math.sqrt(n))};
}

function quantile(values, level, method) {   // of sorted values, as numpy's methods of these names
  const place = level * (values.length - 1), low = method === 'higher' ? Math.ceil(place) : Math.floor(place), share = place - low;
  if (method === 'higher' || !share) return values[low];
  const step = values[low + 1] - values[low];
  return share < 0.5 ? values[low] + step * share : values[low + 1] - step * (1 - share);
}

const ascending = values => Array.from(values).sort((a, b) => a - b);

const STATISTICS = {                   // rows: regret by run; what a trace shows of them
  mean: (x, rows) => ({x, y: moments(rows).mean}),
  band: (x, rows, {told}, quantiles) => {
    if (rows.length < 2) return null;
    const {mean, error} = moments(rows), wide = told === null ? quantiles[rows.length - 2] : told;
    const edge = sign => mean.map((y, k) => y + sign * wide * error[k]);
    return {x: [...x, ...[...x].reverse()], y: [...edge(1), ...edge(-1).reverse()]};
  },
  quantile: (x, rows, {told, method}) => ({x, y: x.map((_, k) => quantile(ascending(rows.map(row => row[k])), told, method))}),
  shares: (x, rows) => ({x: ascending(rows.map(row => row[row.length - 1])), y: rows.map((_, k) => (k + 1) / rows.length)}),
};

function seriesOf(game, {policy, simulation, at}) {   // rounds and regret by run, of the runs that are complete
  const own = game.curves.map((curve, i) => ({...curve, rows: game.regret[i]})).filter(c => c.policy === policy && (simulation === null || c.simulation === simulation));
  if (!own.length) return null;
  if (simulation !== null) return {x: own[0].checkpoints, rows: own[0].rows.filter(Boolean)};
  own.sort((a, b) => a.simulation - b.simulation);
  const runs = Array.from({length: game.runs}, (_, run) => run).filter(run => own.every(({rows}) => rows[run]));
  return {
    x: own.map(curve => at[curve.simulation] ?? curve.checkpoints.at(-1)),
    rows: runs.map(run => own.map(({rows}) => rows[run].at(-1))),
  };
}

function drawGame(game, quantiles) {   // a figure as plotly takes it
  const data = game.figure.lines.flatMap(([line, trace]) => {
    if (!line) return [trace];
    const series = seriesOf(game, line);
    const shown = series && series.rows.length ? STATISTICS[line.statistic](series.x, series.rows, line, quantiles) : null;
    return shown ? [{...trace, ...shown}] : [];
  });
  return {data, layout: {...game.figure.layout}};
}
