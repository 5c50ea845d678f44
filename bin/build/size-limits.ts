/**
 * How large the tree, an installed clone and the package may be. A number may be lowered by any change; who raises one says in
 * the commit what users or developers have for it.
 */
export const sizeLimits = {
  /** Files and lines below `src` that are no tests. */
  productFiles: 1732,
  productLines: 196_200,
  /** Lines of `*.test.ts` below `src` and `test`. */
  testLines: 94_000,
  /** Lines below `test` that are no tests. */
  supportLines: 20_600,
  /** What `npm ci` installs on Linux, as `du -sm` counts it. */
  installedMegabytes: 480,
  /** What `npm publish` uploads. */
  packedBytes: 1_510_000,
} as const
