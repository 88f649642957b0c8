/* Three simulation loops by hand: what they cost a step is the floor that the compiled loops are measured against. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t s[4] = {1, 2, 3, 4};

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline double uniform(void) { /* xoshiro256** */
  const uint64_t result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
  return (result >> 11) * 0x1.0p-53;
}

static inline double normal(void) { /* polar method, two at a time */
  static double spare;
  static int left = 0;
  if (left) { left = 0; return spare; }
  double u, v, r;
  do { u = 2 * uniform() - 1; v = 2 * uniform() - 1; r = u * u + v * v; } while (r >= 1 || r == 0);
  const double factor = sqrt(-2 * log(r) / r);
  spare = v * factor; left = 1;
  return u * factor;
}

double ucb1(const double *means, int n, long horizon) {
  double *pulls = calloc(n, 8), *sums = calloc(n, 8), *average = calloc(n, 8), *roots = malloc(8 * n), top_mean = 0, regret = 0;
  for (int a = 0; a < n; a++) { roots[a] = INFINITY; if (means[a] > top_mean) top_mean = means[a]; }
  for (long t = 0; t < horizon; t++) {
    const double width = sqrt(2.0 * log((t > 1 ? t : 1) + 1.0));
    int best = 0;
    double top = -INFINITY;
    for (int a = 0; a < n; a++) {
      const double index = average[a] + width * roots[a];
      if (index > top) { best = a; top = index; }
    }
    pulls[best] += 1; sums[best] += uniform() < means[best];
    average[best] = sums[best] / pulls[best]; roots[best] = sqrt(1 / pulls[best]);
    regret += top_mean - means[best];
  }
  free(pulls); free(sums); free(average); free(roots);
  return regret;
}

double fucb(const double *means, int d, int k, double sigma, long horizon) {
  const int n = d * k;
  double *pulls = calloc(n, 8), *sums = calloc(n, 8), *average = calloc(n, 8), *roots = malloc(8 * n), best_product = 1, regret = 0;
  int *chosen = malloc(4 * d);
  for (int a = 0; a < n; a++) roots[a] = INFINITY;
  for (int i = 0; i < d; i++) {
    double top = 0;
    for (int j = 0; j < k; j++) if (means[i * k + j] > top) top = means[i * k + j];
    best_product *= top;
  }
  for (long t = 0; t < horizon; t++) {
    const double width = sigma * sqrt(4.0 * log((t > 1 ? t : 1) + 1.0));
    double played = 1;
    for (int i = 0; i < d; i++) {
      double top = -INFINITY;
      for (int j = 0; j < k; j++) {
        const double index = average[i * k + j] + width * roots[i * k + j];
        if (index > top) { chosen[i] = j; top = index; }
      }
    }
    for (int i = 0; i < d; i++) {
      const int a = i * k + chosen[i];
      pulls[a] += 1; sums[a] += means[a] + sigma * normal();
      average[a] = sums[a] / pulls[a]; roots[a] = sqrt(1 / pulls[a]);
      played *= means[a];
    }
    regret += best_product - played;
  }
  free(pulls); free(sums); free(average); free(roots); free(chosen);
  return regret;
}

/* The quantile of a law on [0, 1] from its table, as the environment has it. */
static inline double quantile(const double *table, double p) {
  const double place = (log((p + 0x1.0p-54) / (1 - p)) + 38) * 64;
  const long k = (long)place;
  const double x = place - k, rest = 1 - x;
  const double left = table[2 * k] * (1 + 2 * x) + table[2 * k + 1] * x;
  const double right = table[2 * k + 2] * (1 + 2 * rest) - table[2 * k + 3] * rest;
  return 1 / (1 + exp(-(rest * rest * left + x * x * right)));
}

/* law: of every arm its row of the tables and its rate; gains: expected gain of every pair. */
double rcucb(const double *tables, long nodes, const double *law, const double *gains, int arms, const double *limits,
             const double *penalty, int m, double cost, long horizon) {
  const int n = arms * m;
  double *rounds = calloc(n, 8), *gained = calloc(n, 8), *exceeded = calloc(n, 8), *pulls = calloc(arms, 8);
  double *estimate = calloc(n, 8), *root = calloc(n, 8), best_gain = -INFINITY, regret = 0;
  for (int a = 0; a < n; a++) if (gains[a] > best_gain) best_gain = gains[a];
  for (long t = 0; t < horizon; t++) {
    const double width = sqrt(2.0 * log(t + 1.0));
    int best = (int)t * m + m - 1;
    if (t >= arms) {
      double top = -INFINITY;
      best = 0;
      for (int a = 0; a < n; a++) {
        const double index = estimate[a] + width * root[a];
        if (index > top) { best = a; top = index; }
      }
    }
    const int i = best / m, limit = best % m;
    const double consumption = -log(1 - uniform()) / law[2 * i + 1], v = uniform();
    const int censored = consumption > limits[limit];
    const double gain = censored ? 0 : quantile(tables + 2 * nodes * (long)law[2 * i], v) - cost * consumption;
    pulls[i] += 1;
    for (int j = 0; j <= limit; j++) {
      const int a = i * m + j;
      rounds[a] += 1;
      if (censored || consumption > limits[j]) exceeded[a] += 1; else gained[a] += gain;
    }
    for (int j = 0; j < m; j++) {
      const int a = i * m + j;
      const double share = 1 / rounds[a];
      estimate[a] = gained[a] * share - penalty[j] * (exceeded[a] * share);
      root[a] = sqrt(share) + penalty[j] * sqrt(1 / pulls[i]);
    }
    regret += best_gain - gains[best];
  }
  free(rounds); free(gained); free(exceeded); free(pulls); free(estimate); free(root);
  return regret;
}
