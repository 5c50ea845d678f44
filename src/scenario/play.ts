/**
 * Plays one run of a scenario against an open session: the steps with their faults, the end of faults, recovery until
 * all is done, and judgement. It opens nothing and closes nothing, and every wait in it has an end.
 */
import { compact } from '../compact.ts'
import type { Configuration } from '../configuration/schema.ts'
import { failedExpectations } from './expectations.ts'
import { createHand, StepFailure, wishOf } from './step-actions.ts'
import {
  type Failure,
  isAdvice,
  type OrderOutcome,
  type Outcome,
  type StepOutcome,
} from './outcome.ts'
import { perform } from './perform.ts'
import type { Performer, Visit } from './performer.ts'
import { recover, type Recovering } from './recovery.ts'
import type { Run } from './runs.ts'
import { stepText } from './step-text.ts'
import { entryOf } from './steps.ts'
import { type Appointment, createTime } from './time.ts'
import { createWitness, type Witness } from './observer.ts'
import type { Session } from '../session-api/session.ts'

/** What the player needs of whoever calls it. */
export interface Stagehands {
  /** Waits so long on the machine's clock, or until it is called off. */
  readonly sleep: (ms: number, enough: AbortSignal) => Promise<void>
  /** What the subject itself says of an order, where it lets somebody look. */
  readonly view?: ((orderId: string) => Promise<string | undefined>) | undefined
  /** Asks the subject itself for something; answers the status. */
  readonly visit?: ((visit: Visit) => Promise<number>) | undefined
  /** Stops the subject and starts it again, where we started it. */
  readonly restartSubject?: (() => Promise<void>) | undefined
  /** Breaks the run off: somebody interrupts, or the subject is gone. */
  readonly enough?: AbortSignal | undefined
  /** Hears what is being done, in one line. */
  readonly onStep?: ((text: string) => void) | undefined
  /** How patient the judge of this session is. */
  readonly patience?: Pick<Configuration['judgement'], 'converge' | 'grace'> | undefined
  /** Hears of everything that the run was shown; for whoever wants to know why it goes on. */
  readonly onWitness?: ((witness: Witness) => void) | undefined
}

const usualPatience = { converge: 120_000, grace: 10_000 } as const

/** Orders that are placed by themselves, the next one first. */
function appointmentsOf({ scenario }: Run, begin: number, place: (slot: string) => Promise<void>) {
  const waiting = Object.entries(scenario.orders)
    .flatMap(([slot, { at }]) => (at === undefined ? [] : [{ slot, at: begin + at }]))
    .sort((one, other) => one.at - other.at)
  return (): Appointment | undefined => {
    const [first] = waiting
    if (!first) return undefined
    return {
      at: first.at,
      keep: async () => {
        waiting.shift()
        await place(first.slot)
      },
    }
  }
}

async function playSteps(
  { scenario }: Run,
  performer: Performer,
  { onStep }: Stagehands,
  enough: AbortSignal,
): Promise<{ readonly steps: readonly StepOutcome[]; readonly failures: readonly Failure[] }> {
  const steps: StepOutcome[] = []
  const failures: Failure[] = []
  for (const [index, step] of scenario.steps.entries()) {
    const entry = entryOf(step)
    const text = stepText(entry)
    const at = await performer.time.now()
    const told = { number: index + 1, text, at }
    if (failures.length > 0 || enough.aborted) {
      steps.push({ ...told, result: 'skipped' })
      continue
    }
    onStep?.(text)
    try {
      await perform(entry, performer)
      steps.push({ ...told, result: 'done' })
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      steps.push({ ...told, result: 'failed', because: error.message })
      const because = `step ${index + 1} (${text}): ${error.message}`
      failures.push({ kind: 'step', path: ['steps', index, entry.word], because })
    }
  }
  return { steps, failures }
}

/** Recovery to its end; an order that could not be placed meanwhile is a failure, and the others still come. */
async function recovered(recovering: Recovering): Promise<readonly Failure[]> {
  const failures: Failure[] = []
  for (;;)
    try {
      await recover(recovering)
      return failures
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      failures.push({ kind: 'step', path: ['orders'], because: error.message })
    }
}

async function ordersOf(
  witness: Witness,
  view: Stagehands['view'],
): Promise<readonly OrderOutcome[]> {
  const orders: OrderOutcome[] = []
  for (const [slot, orderId] of witness.orders.slots) {
    const seen = await view?.(orderId)
    orders.push({
      slot,
      orderId,
      statuses: witness.orders.way(orderId),
      sequence: witness.sequence(orderId),
      ...compact({ view: seen }),
    })
  }
  return orders
}

/** Which role's calls and knowledge it goes by: where there is no subject, those of our own Software Service. */
const watched = ({ subject }: Run['scenario']) =>
  subject === 'ordering-application' ? subject : ('software-service' as const)

export async function play(run: Run, session: Session, hands: Stagehands): Promise<Outcome> {
  const { scenario } = run
  const { view, restartSubject, patience = usualPatience } = hands
  const enough = hands.enough ?? new AbortController().signal
  const hasSubject = scenario.subject !== 'nobody'
  using witness = createWitness(session, watched(scenario))
  hands.onWitness?.(witness)
  const { info } = await session.look({})
  const begin = info.clock.now
  const next = appointmentsOf(run, begin, (slot) =>
    hand.place(wishOf(scenario.orders[slot] ?? {}), slot).catch((error: unknown) => {
      if (!(error instanceof StepFailure)) throw error
      throw new StepFailure(`${slot} could not be placed at its time: ${error.message}`)
    }),
  )
  const time = createTime({ session, sleep: hands.sleep, appointment: next, enough })
  const hand = createHand(session, witness, time)
  const { visit } = hands
  const performer: Performer = {
    scenario,
    session,
    witness,
    time,
    hand,
    view,
    visit,
    restartSubject,
  }
  // A subject in this process may be in the middle of its first words.
  if (info.clock.mode === 'virtual') await session.advance(0)

  const late: Failure[] = []
  const { steps, failures } = await playSteps(run, performer, hands, enough)
  if (hasSubject && !enough.aborted) {
    const onWait = (left: string): void => hands.onStep?.(`wait for the end: ${left}`)
    const lastOrder = begin + Math.max(0, ...Object.values(scenario.orders).map(({ at = 0 }) => at))
    const recovering = { session, witness, time, patience, appointment: next, lastOrder, onWait }
    late.push(...(await recovered(recovering)))
  }
  witness.read()
  const stopped = enough.aborted
  const verdicts = hasSubject && !stopped ? await session.judge() : []
  const orders = stopped ? [] : await ordersOf(witness, view)
  const failed = stopped
    ? failures
    : [
        ...failures,
        ...late,
        ...failedExpectations({ expect: scenario.expect, orders, verdicts, witness }),
      ]
  return {
    run,
    result: stopped ? 'stopped' : failed.length > 0 ? 'failed' : 'passed',
    failures: failed,
    steps,
    orders,
    verdicts,
    advice: verdicts.filter(isAdvice),
    endings: session.endings(),
    seed: info.seed,
    tookMs: (await time.now()) - begin,
    journal: { facts: witness.orders.facts(), digest: witness.orders.digest() },
  }
}
