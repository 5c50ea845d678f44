/** The commit that this was built from, such as `abc1234`; `build.ts` fills it in. The sources are no build. */
export const buildCommit: string | undefined = undefined
