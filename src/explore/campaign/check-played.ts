/** Refuses a campaign in which nothing was looked at: that nothing was found says nothing then. */
import { problem } from '../../core/base/problem.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import type { CampaignState } from './campaign-state.ts'

const attempted = 'exploring your service'

interface PlayedCampaign {
  readonly workloads: number
  readonly isPart: boolean
  readonly channel: string
}

/** Throws a problem when no workload could be played, no fault was tried to its end, or no rule was exercised. */
export function checkPlayed(
  state: CampaignState,
  { workloads, isPart, channel }: PlayedCampaign,
): void {
  const { leftOut, schedules, premises } = state
  const [[name, because] = ['', '']] = leftOut
  if (leftOut.size > 0 && schedules.size === 0 && leftOut.size >= workloads)
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
      `in ${state.runs()} runs no rule was exercised, since your service took part in none; events were handed over by ${channel}`,
      'See that it takes them so, finds its partner and takes an order: sparring doctor, or connect in the library.',
    )
  if (!state.hasWhole())
    throw problem(
      attempted,
      `the time was over before any of ${pluralise(schedules.size, 'schedule')} ended: nothing was broken by then, and what must come in the end was judged in none of them`,
      'Give it more with --max-time, or your service shorter intervals: polls, attempts, tolerances.converge.',
    )
}
