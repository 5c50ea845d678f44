/**
 * The commit that this was built from, such as `abc1234`; `bin/build/build.ts` fills it in. The sources are no build.
 */
export const buildCommit: string | undefined = undefined
