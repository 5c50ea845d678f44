/**
 * How many schedules a strategy draws until a defect shows: a campaign that ends with the first schedule that breaks a rule
 * which the same schedule, played in the same company, does not break on the correct service.
 */
import { namedFaultsOf } from '../../src/explore/search/fault-choices.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import type { BatchEntry, ScheduleRunner } from '../../src/explore/batch/schedule-runner.ts'
import { type CampaignOptions, runCampaign } from '../../src/explore/campaign/campaign.ts'
import type { CampaignRecord } from '../../src/explore/campaign/campaign-record.ts'
import { firstFailures } from '../../src/explore/campaign/failures.ts'
import type { BrokenRule } from '../../src/explore/schedules/broken-rule.ts'
import type { BatchResult } from '../../src/explore/schedules/result.ts'
import { scheduleHash, scheduleText } from '../../src/explore/schedules/schedule.ts'
import type { Strategy } from '../../src/explore/search/strategies/strategy.ts'
import type { Workload } from '../../src/explore/workloads/workload.ts'
import { workloadsOf } from '../../src/explore/workloads/workloads.ts'
import { invariants } from '../../src/core/rules/invariants/catalogue.ts'
import { createReferenceRunner } from '../../test/support/reference-runner.ts'
import type { BenchChannel } from './options.ts'

export interface BenchCampaign {
  /** None: the correct service. */
  readonly defects: readonly DefectName[]
  readonly seed: number
  /** Absent: the usual ones. */
  readonly strategies?: readonly Strategy[] | undefined
  readonly maxRuns: number
  readonly channel: BenchChannel
  readonly crashes?: boolean
  readonly ghosts?: boolean
  readonly evolution?: boolean
  /** Absent: the built-in ones. */
  readonly workloads?: readonly Workload[] | undefined
}

/** A rule that the correct service breaks in a schedule. */
export interface FalseAlarm {
  readonly rule: string
  readonly schedule: string
}

export type Kill =
  /** It shows without any fault. */
  | { readonly kind: 'steady'; readonly rules: readonly string[] }
  | {
      readonly kind: 'killed'
      /** The place of the schedule, from 1. */
      readonly runs: number
      /** The strategy that drew it. */
      readonly strategy: string
      readonly rules: readonly string[]
    }
  | { readonly kind: 'survived' }

export interface KillResult {
  readonly kill: Kill
  readonly falseAlarms: readonly FalseAlarm[]
}

const kinds = new Map(invariants.map(({ id, kind }) => [id, kind]))
export const builtInWorkloads = workloadsOf('software-service')

/** The options of a campaign against the reference service. */
export const campaignOptions = (
  {
    seed,
    strategies,
    maxRuns,
    channel,
    crashes,
    ghosts = false,
    evolution = false,
    workloads = builtInWorkloads,
  }: BenchCampaign,
  runner: ScheduleRunner,
): Omit<CampaignOptions, 'onRecord' | 'enough'> => ({
  seed,
  ...(strategies ? { strategies } : {}),
  channels: channel === 'both' ? ['polling', 'webhook'] : [channel],
  workloads,
  runner,
  budget: { maxRuns },
  namedFaults: namedFaultsOf({ ghosts, evolution }),
  ...(crashes ? { isPossible: () => true } : {}),
  now: Date.now,
  kindOf: (rule) => kinds.get(rule) ?? 'liveness',
})

/** The rules that one schedule of a batch breaks; those about no single order are its own only when it runs alone. */
function brokenRules({ results, unattributed }: BatchResult, entry: number): readonly string[] {
  const result = results[entry]
  if (!result) return []
  const others = results.length === 1 ? unattributed : []
  const failures: readonly BrokenRule[] = [...result.failures, ...others]
  return firstFailures({ ...result, failures }).map(({ rule }) => rule)
}

/** What no clause forbids, and a report names all the same. */
const adviceIn = ({ advice }: Pick<BatchResult, 'advice'>): readonly string[] =>
  Object.keys(advice).map((rule) => `${rule} as advice`)

interface Shown {
  readonly hash: string
  readonly rules: readonly string[]
}

/** Compares each failing schedule with the correct service. */
function createComparison(campaign: BenchCampaign) {
  const { defects: _defects, ...same } = campaign
  const correct = createReferenceRunner(same)
  const shown: Shown[] = []
  const falseAlarms: FalseAlarm[] = []
  return {
    shown,
    falseAlarms,
    async compare(entries: readonly BatchEntry[], batch: BatchResult): Promise<void> {
      const failing = entries.flatMap((entry, place) => {
        const rules = brokenRules(batch, place)
        return rules.length > 0 ? [{ ...entry, place, rules }] : []
      })
      const advice = adviceIn(batch)
      if (failing.length === 0 && advice.length === 0) return
      const expected = await correct.play(entries)
      // It is about no single schedule: all of the batch were needed.
      const last = entries.at(-1)
      const news = advice.filter((each) => !adviceIn(expected).includes(each))
      if (last && news.length > 0) shown.push({ hash: scheduleHash(last.schedule), rules: news })
      for (const { place, rules, schedule } of failing) {
        const alarms = expected.results[place]?.failures.map(({ rule }) => rule) ?? []
        const known = new Set([...alarms, ...brokenRules(expected, place)])
        for (const rule of known) falseAlarms.push({ rule, schedule: scheduleText(schedule) })
        const own = rules.filter((rule) => !known.has(rule))
        if (own.length > 0) shown.push({ hash: scheduleHash(schedule), rules: own })
      }
    },
  }
}

/** ScheduleBatches without faults are the same in campaigns of one seed against one service: they are played once. */
export function playFaultFreeOnce(runner: ScheduleRunner): ScheduleRunner {
  const played = new Map<string, Promise<BatchResult>>()
  return {
    ...runner,
    play(entries) {
      const schedules = entries.map(({ schedule }) => schedule)
      if (schedules.some(({ faults }) => faults.length > 0)) return runner.play(entries)
      const key = schedules.map(scheduleText).join('\n')
      const batch = played.get(key) ?? runner.play(entries)
      played.set(key, batch)
      return batch
    },
  }
}

export async function measureKill(
  campaign: BenchCampaign,
  runner: ScheduleRunner = createReferenceRunner(campaign),
): Promise<KillResult> {
  const comparison = createComparison(campaign)
  const { shown, falseAlarms } = comparison
  const enough = new AbortController()
  const steady = new Set<string>()
  /** What the workloads break that are played without faults while the search is under way. */
  const faultFree = new Set<string>()
  const drawn = new Map<string, Extract<CampaignRecord, { readonly type: 'schedule' }>>()
  let isSearching = false
  const endWhenKilled = (): void => {
    if (shown.some(({ hash }) => drawn.has(hash))) enough.abort()
  }

  await runCampaign({
    ...campaignOptions(campaign, {
      ...runner,
      async play(entries) {
        const batch = await runner.play(entries)
        if (entries.every(({ schedule: { faults } }) => faults.length === 0))
          for (const rule of adviceIn(batch)) (isSearching ? faultFree : steady).add(rule)
        if (isSearching) await comparison.compare(entries, batch)
        endWhenKilled()
        return batch
      },
    }),
    enough: enough.signal,
    onRecord(record) {
      if (record.type === 'phase') isSearching = record.phase === 'search'
      if (record.type === 'steady')
        for (const { rule } of record.failures) (isSearching ? faultFree : steady).add(rule)
      // What shows without faults is found by the first run of every strategy.
      if ((record.type === 'space' && steady.size > 0) || faultFree.size > 0) enough.abort()
      if (record.type === 'schedule') drawn.set(record.hash, record)
      endWhenKilled()
    },
  })
  if (steady.size > 0) return { kill: { kind: 'steady', rules: [...steady] }, falseAlarms }
  const [first] = shown
    .flatMap(({ hash, rules }) => {
      const record = drawn.get(hash)
      return record ? [{ runs: record.index + 1, strategy: record.strategy, rules }] : []
    })
    .sort((one, other) => one.runs - other.runs)
  if (first) return { kill: { kind: 'killed', ...first }, falseAlarms }
  if (faultFree.size === 0) return { kill: { kind: 'survived' }, falseAlarms }
  const runs = drawn.size + 1
  const kill = { kind: 'killed', runs, strategy: 'no fault', rules: [...faultFree] } as const
  return { kill, falseAlarms }
}
