/** The property that whatever keys an operator pressed, what is saved of it plays again, to the same verdicts. */
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { runWall, runWallUntil, simulateWall } from '../clock-story.ts'
import { driveDashboardOn } from './drive.ts'
import { type HarnessOptions, type InProcessHarness, openHarness } from '../in-process-harness.ts'
import { createChance } from '../../../src/core/engine/chance.ts'
import { abortableSleep } from '../../../src/core/runtime/clock/clock.ts'
import { parseYamlText } from '../../../src/core/runtime/files/source-location.ts'
import { checkSchema } from '../../../src/core/runtime/files/schema-errors.ts'
import { isFailedVerdict, type Verdict } from '../../../src/core/rules/invariants/verdict.ts'
import { configurationOf } from '../../../src/core/scenario/options.ts'
import { playRun } from '../../../src/core/scenario/play.ts'
import type { ScenarioRun } from '../../../src/core/scenario/runs.ts'
import { readRuns } from '../../../src/core/scenario/read.ts'
import { openSession } from '../../../src/core/session/open-session.ts'
import { savedScenarioText } from '../../../src/core/scenario/save.ts'
import type { Session } from '../../../src/core/session-api/session.ts'
import { machineClock } from '../../../src/demo/clock.ts'

export interface SavedKeysSetting {
  readonly channel: 'polling' | 'webhook'
  /** The clock by which the service sleeps. */
  readonly sleeps: 'by-the-wall' | 'by-the-session'
}

export const savedKeysSettings: readonly SavedKeysSetting[] = (
  ['polling', 'webhook'] as const
).flatMap((channel) =>
  (['by-the-wall', 'by-the-session'] as const).map((sleeps) => ({ channel, sleeps })),
)

/** `draws` names the service's own draws by the wall: they differ from one run to the next, but not by chance. */
const harnessOf = (
  { channel, sleeps }: SavedKeysSetting,
  session: NonNullable<HarnessOptions['session']>,
  draws: string,
): Promise<InProcessHarness> => {
  const chance = createChance(1, draws)
  return openHarness({
    channel,
    ...(sleeps === 'by-the-wall'
      ? { serviceClock: { ...machineClock, random: () => chance.fraction() } }
      : {}),
    session: {
      ...session,
      counterparts: { 'ordering-application': { channel, deliveries: false } },
    },
  })
}

const stepMs = 50
const pass = (ms: number): Promise<void> => runWall(ms, stepMs)

async function under<Value>(work: PromiseLike<Value>): Promise<Value> {
  await runWallUntil(work)
  return work
}

const red = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.filter(isFailedVerdict).map(({ id }) => id)

async function close(harness: InProcessHarness): Promise<void> {
  await under(harness[Symbol.asyncDispose]())
}

/** Presses keys on a session, saves what they did, and lets it come to its end. */
async function pressed(setting: SavedKeysSetting, keys: readonly string[]) {
  const harness = await harnessOf(setting, { clock: 'real' }, 'pressed')
  const { session } = harness
  const screen = await driveDashboardOn(session, {})
  await under(screen.press('N', 't', '5', 'g'))
  for (const key of keys) {
    await under(screen.press(...key.split(' ')))
    await pass(300)
  }
  const text = await savedScenarioText(session)
  await under(screen.press('P'))
  await session.submit({ kind: 'fault.end' })
  await session.setClock({ mode: 'real', speed: 1 })
  await pass(200_000)
  const verdicts = await under(session.judge())
  await close(harness)
  return { text, red: red(verdicts) }
}

function runOf(text: string): ScenarioRun {
  const runs = readRuns(parseYamlText(text).value, checkSchema)
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  const [run] = runs.value
  if (!run) throw new Error('there is no run')
  return run
}

async function played(setting: SavedKeysSetting, text: string) {
  const run = runOf(text)
  const { subject: _subject, ...options } = configurationOf(run, {})
  const harness = await harnessOf(setting, { ...options, clock: 'real' }, 'played')
  const outcome = await under(playRun(run, harness.session, { sleep: abortableSleep }))
  await close(harness)
  return { because: outcome.failures.map((each) => each.because), red: red(outcome.verdicts) }
}

async function replayed(setting: SavedKeysSetting, keys: readonly string[]) {
  using _wall = simulateWall()
  const { text, red: before } = await pressed(setting, keys)
  const { because, red: after } = await played(setting, text)
  return { text, because, before, after }
}

/** Every key that changes the session, but for those that need an editor or send a call in place of the service. */
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constant('n') },
  { weight: 8, arbitrary: fc.constantFrom('p', 'x', 'd', 't', 'T', 'J', 'K', 'P', 'z', 'Z') },
  { weight: 3, arbitrary: fc.constantFrom('j', 'k', 'g', 'm', 'v', 'a', 'A', 'space', '+', '-') },
  { weight: 3, arbitrary: fc.constantFrom('N t', 'N d', 'N i', '> 1', '> 2', '! 1', 'f 0 escape') },
)
const sequence = fc.array(key, { minLength: 5, maxLength: 60, size: 'max' })

/** Sequences that were played otherwise than they were pressed. */
const onceDiffered = [
  // The service called between what the operator took, after forced moves that were undone and done again.
  'n,n,t,g,d,n,g,p,N i,T,space,n,d,> 2,> 2,z,n,J,P,n,n,N d,-,n,> 1,-,n,> 1,j,m,T,n,p,t,! 1,p,n,> 1,Z,space,Z,n,d,K,! 1,n,Z',
  // An item that is due late was taken first, and then moved before others: sleeps of the service made room for it.
  'n,n,K,n,n,p,Z,P,n,Z,+,g,x,T,n,p,x,N i,P,t,d,n,t,P,n,j,n,A,p,n,f 0 escape,T,Z,J,A',
  'n,z,j,> 2,N i,z,n,T,space,T,n,n,j,J,d,n,K',
  // The first edit is of an item that came before DELIVERED was acknowledged, which a later move waits for.
  'n,n,K,n,n,p,Z,P,n,Z,+,g,x,T,! 1,n,n,n',
  // By force an order went back to CONFIRMED, and moved to PREPARING once more.
  'n,p,! 1,! 1,A,-,P,P,n,j,n,T,n,f 0 escape,n,space,x,T,x,+,j,x,n,t,n,N d,K,n,n,n,d,n,f 0 escape,z,n,T,p,n,t,P,n,n,K,n,n,n,J,T,J,N t,n,J',
].map((keys): [readonly string[]] => [keys.split(',')])

/** Those that once differed, half of them by each channel. */
export const onceDifferedBy = ({ channel }: SavedKeysSetting): typeof onceDiffered =>
  onceDiffered.filter((_, index) => (index % 2 === 0) === (channel === 'polling'))

/** Plays so many sequences of 5 to 60 keys, and those that once differed. */
export const checkSavedKeys = (
  setting: SavedKeysSetting,
  runs: number,
  examples = onceDiffered,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(sequence, async (keys) => {
      const { text, because, before, after } = await replayed(setting, keys)
      expect({ because, red: after, text }).toEqual({ because: [], red: before, text })
    }),
    { numRuns: examples.length + runs, examples },
  )

const factsOf = (session: Session): readonly string[] =>
  session.facts().map((entry) => JSON.stringify(entry))

/** Plays sequences of keys on a stepped session without a service: what is saved reproduces the journal, fact for fact. */
export const checkKeysWithoutService = (runs: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(sequence, fc.constantFrom('polling', 'webhook'), async (keys, channel) => {
      const counterparts = { 'ordering-application': { channel } }
      await using session = await openSession({ listen: false, clock: 'stepped', counterparts })
      const screen = await driveDashboardOn(session, {})
      await screen.press('N', 't', '5', 'g')
      // On a clock that runs, the machine's time would be part of the journal.
      for (const each of keys) if (each !== 'space') await screen.press(...each.split(' '))
      const run = runOf(await savedScenarioText(session))
      const { subject: _subject, ...options } = configurationOf(run, {})
      await using again = await openSession({ ...options, clock: 'stepped', listen: false })
      const { failures } = await playRun(run, again, { sleep: () => Promise.resolve() })
      const journal = factsOf(again)
      expect(failures).toEqual([])
      expect(journal).toEqual(factsOf(session).slice(0, journal.length))
    }),
    { numRuns: runs },
  )
