/**
 * How large the tree, an installed clone and the package may be. A number may be lowered by any change; who raises one says in
 * the commit what users or developers have for it.
 */
export const sizeLimits = {
  /** Files and lines below `src` that are no tests. */
  productFiles: 1650,
  productLines: 222_800,
  /** Lines of `*.test.ts` below `src` and `test`. */
  testLines: 116_700,
  /** Lines below `test` that are no tests. */
  supportLines: 26_350,
  /** What `npm ci` installs on Linux, as `du -sm` counts it. */
  installedMegabytes: 480,
  /** What `npm i sparring` installs beside the package, and its megabytes on Linux. */
  dependencies: 13,
  dependencyMegabytes: 22,
  /** What `npm publish` uploads. */
  packedBytes: 1_826_000,
} as const
