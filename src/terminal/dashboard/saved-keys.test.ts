// @module-tag slow
/** Whatever keys an operator pressed, what is saved of it plays again, to the same verdicts. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runWall, runWallUntil, simulateWall } from '../../../test/support/clock-story.ts'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import {
  type HarnessOptions,
  type InProcessHarness,
  openHarness,
} from '../../../test/support/in-process-harness.ts'
import { runsFor } from '../../../test/support/soak.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import { parseYamlText } from '../../core/runtime/files/source-location.ts'
import { checkSchema } from '../../core/runtime/files/schema-errors.ts'
import { isFailedVerdict, type Verdict } from '../../core/rules/invariants/verdict.ts'
import { configurationOf } from '../../core/scenario/options.ts'
import { playRun } from '../../core/scenario/play.ts'
import { readRuns } from '../../core/scenario/read.ts'
import { savedScenarioText } from '../../core/scenario/save.ts'
import { machineClock } from '../../demo/clock.ts'

/** A service that sleeps by the wall clock. */
const harnessOf = (session: NonNullable<HarnessOptions['session']>): Promise<InProcessHarness> =>
  openHarness({ channel: 'polling', serviceClock: machineClock, session })

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
async function pressed(keys: readonly string[]) {
  const harness = await harnessOf({ clock: 'real' })
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
  await session.setClock({ mode: 'real' })
  await pass(200_000)
  const verdicts = await under(session.judge())
  await close(harness)
  return { text, red: red(verdicts) }
}

async function played(text: string) {
  const runs = readRuns(parseYamlText(text).value, checkSchema)
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  const [run] = runs.value
  if (!run) throw new Error('there is no run')
  const { subject: _subject, ...options } = configurationOf(run, {})
  const harness = await harnessOf({ ...options, clock: 'real' })
  const outcome = await under(playRun(run, harness.session, { sleep: abortableSleep }))
  await close(harness)
  return { because: outcome.failures.map((each) => each.because), red: red(outcome.verdicts) }
}

async function replayed(keys: readonly string[]) {
  using _wall = simulateWall()
  const { text, red: before } = await pressed(keys)
  const { because, red: after } = await played(text)
  return { text, because, before, after }
}

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constant('n') },
  { weight: 6, arbitrary: fc.constantFrom('p', 'x', 'd', 't', 'T', 'P') },
  { weight: 3, arbitrary: fc.constantFrom('j', 'k', 'g', 'a', 'A', 'space') },
  // Without transitions by hand, moves and undoing: which of the operator and the service is first is a race.
  { weight: 2, arbitrary: fc.constantFrom('N t', 'N d') },
)

test('any 5 to 60 keys are saved, and play to the same verdicts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(key, { minLength: 5, maxLength: 60, size: 'max' }), async (keys) => {
      const { text, because, before, after } = await replayed(keys)
      expect({ because, red: after, text }).toEqual({ because: [], red: before, text })
    }),
    { numRuns: runsFor(4, 60) },
  )
})
