/** Refuses a campaign in which nothing was looked at: that nothing was found says nothing then. */
import { problem } from '../../core/base/problem.ts'
import type { CampaignState } from './campaign-state.ts'

const attempted = 'exploring your service'

/** Throws a problem when no workload could be played, no fault was tried, or no rule was exercised. */
export function checkPlayed(
  state: CampaignState,
  { workloads, isPart }: { readonly workloads: number; readonly isPart: boolean },
): void {
  const { leftOut, schedules, premises } = state
  const [[name, because] = ['', '']] = leftOut
  if (leftOut.size > 0 && leftOut.size >= workloads)
    throw problem(
      attempted,
      `no workload can be played: ${name}: ${because}`,
      'Choose others with --workload.',
    )
  if (isPart) return
  if (schedules.size === 0)
    throw problem(
      attempted,
      'the time was over before any fault was tried',
      'Give it more with --max-time, or fewer workloads with --workload.',
    )
  if ([...premises.values()].every((times) => times === 0))
    throw problem(
      attempted,
      `in ${state.runs()} runs no rule was exercised, since your service took part in none`,
      'See that it finds its partner and takes an order: sparring doctor, or connect in the library.',
    )
}
