/** Library API for exploration: searches fault schedules against a service in this process, on the virtual clock. */
import type { ExploreOptions, ExploreResult } from './explore-options.ts'

/**
 * Searches fault schedules against your service, shrinks what breaks a rule, and returns one bucket for each cause.
 * Nothing waits: sessions run on the virtual clock, without sockets, one after the other in this thread. Those of a service in
 * a module of its own (`subject: new URL('service.ts', import.meta.url)`) are played on all cores.
 *
 * @example
 * const { buckets } = await explore({
 *   as: 'software-service',
 *   subject: app.fetch,
 *   connect: (session) => app.usePartner(session),
 *   maxRuns: 500,
 * })
 * expect(buckets).toEqual([])
 * @throws Problem when the options are invalid, your service took part in no run, or a worker thread died; then what was found
 * by then is its `cause`.
 */
export async function explore(options: ExploreOptions): Promise<ExploreResult> {
  // Loaded with the first campaign: most users of the library run none.
  const { exploreInProcess } = await import('./explore-in-process.ts')
  return exploreInProcess(options)
}
