/**
 * Saves the manual operator actions of a session as a scenario that repeats them. Items are named by selector and orders
 * by slot, so the file is readable and editable.
 */
import { isoOf } from '../engine/instant.ts'
import { formatDuration } from '../protocol/duration.ts'
import type {
  InitialConditions,
  OperatorAction,
  SessionApi,
  SessionInfo,
  Snapshot,
} from '../session-api/session-api.ts'
import { createSavedNames, type SavedNames } from './save-names.ts'
import { savedStep } from './steps.ts'
import { changeOrderIds } from './words/session.ts'
import type { ScenarioInput } from './schema.ts'
import { yamlText } from './yaml-text.ts'

export interface SaveScenarioOptions {
  /** Name of the scenario: a short sentence. */
  readonly name?: string | undefined
  readonly about?: string | undefined
}

type StepInput = NonNullable<ScenarioInput['steps']>[number]

/** The step that repeats an operator action; a command without a step of its own is one as it is. */
async function savedSteps(
  { what, after, item, items = [] }: OperatorAction,
  names: SavedNames,
): Promise<readonly StepInput[]> {
  const rows = item ? [item, ...items] : items
  const action = what.kind === 'command' ? what.command : what
  const step = await savedStep(action, {
    names,
    async selectorOf(id, held) {
      const row = rows.find((each) => each.id === id)
      return row && names.item(row, after, held)
    },
    async placeOf(id) {
      const row = await names.rowOf(id, after)
      return row && names.item(row, after)
    },
  })
  if (step) return [step]
  // The player drives the clock, and the service makes its own calls.
  if (what.kind !== 'command') return []
  return [
    { command: changeOrderIds(what.command, (id) => names.slotOf(id) ?? id) as { kind: string } },
  ]
}

/** Time that passed before an action on a running clock. */
function elapsedStep(
  action: OperatorAction,
  lastAt: number,
  isStopped: boolean,
): readonly StepInput[] {
  const ms = Math.round(action.at - lastAt)
  return isStopped || ms <= 0 ? [] : [{ advance: ms }]
}

/** Session time after an action. */
const timeAfter = ({ at, what }: OperatorAction): number =>
  what.kind === 'advance' ? at + what.ms : at

/** Merges consecutive `step` and `advance` steps. */
function mergeSteps(steps: readonly StepInput[]): readonly StepInput[] {
  const short: StepInput[] = []
  for (const next of steps) {
    const last = short.at(-1)
    if (last?.step !== undefined && next.step !== undefined)
      short[short.length - 1] = { step: last.step + next.step }
    else if (last?.advance !== undefined && next.advance !== undefined)
      short[short.length - 1] = { advance: Number(last.advance) + Number(next.advance) }
    else short.push(next)
  }
  return short
}

async function stepsOf(
  actions: readonly OperatorAction[],
  { clock, origin }: InitialConditions,
  names: SavedNames,
  end: number,
): Promise<readonly StepInput[]> {
  const steps: StepInput[] = []
  let isStopped = clock === 'stepped'
  let lastAt = origin
  for (const action of actions) {
    steps.push(...elapsedStep(action, lastAt, isStopped), ...(await savedSteps(action, names)))
    lastAt = Math.max(lastAt, timeAfter(action))
    if (action.what.kind === 'clock')
      isStopped = (action.what.mode ?? (isStopped ? 'stepped' : 'real')) === 'stepped'
  }
  if (!isStopped && end > lastAt) steps.push({ advance: Math.round(end - lastAt) })
  return mergeSteps(steps)
}

/** Writes durations as text, such as `5s`. */
const withDurationText = (step: StepInput): StepInput =>
  typeof step.advance === 'number' ? { advance: formatDuration(step.advance) } : step

type SavedOrder = NonNullable<ScenarioInput['orders']>[string]

/** Orders placed by the operator, by slot, as requested. */
function ordersOf(
  actions: readonly OperatorAction[],
  names: SavedNames,
): Readonly<Record<string, SavedOrder>> {
  const orders: Record<string, SavedOrder> = {}
  for (const { what } of actions) {
    if (what.kind !== 'order') continue
    const { order, ...fields } = what.wish
    orders[names.slotOf(what.orderId) ?? what.orderId] = {
      ...(fields as SavedOrder),
      ...(order === undefined ? {} : { order: order as never }),
    }
  }
  return orders
}

/** Calls in place of the service, which no step can repeat. */
const resentCalls = (actions: readonly OperatorAction[]): readonly string[] =>
  actions.flatMap(({ what }) => (what.kind === 'resend' ? [`${what.call} (#${what.seq})`] : []))

/** What the scenario leaves out; undefined when it is nothing. */
function resentCallsText(actions: readonly OperatorAction[]): string | undefined {
  const calls = resentCalls(actions)
  if (calls.length === 0) return undefined
  return `Left out, since no step repeats it: sent again by hand in place of the service ${calls.slice(0, maxNamedCalls).join(', ')}${calls.length > maxNamedCalls ? ` and ${calls.length - maxNamedCalls} more` : ''}.`
}

const maxNamedCalls = 5

const subjectOf = ({ subject }: SessionInfo): ScenarioInput['subject'] =>
  subject?.role === 'software-service' || subject?.role === 'ordering-application'
    ? subject.role
    : 'none'

/** The scenario as data. */
export async function savedScenario(
  session: SessionApi,
  options: SaveScenarioOptions = {},
): Promise<ScenarioInput> {
  const snapshot: Snapshot = await session.look({ operatorActions: true })
  const { operatorActions: actions, info, initialConditions } = snapshot
  if (!initialConditions) throw new Error('this session does not say what it began with')
  const names = await createSavedNames(session)
  const { channel, clock } = info
  const leftOut = resentCallsText(actions)
  const about = options.about ?? 'Operator actions of a session, step by step.'
  return {
    name:
      options.name ??
      `Done by hand on ${isoOf(initialConditions.origin).slice(0, 16).replace('T', ' ')}`,
    about: leftOut === undefined ? about : `${about} ${leftOut}`,
    subject: subjectOf(info),
    channel,
    // The player drives the clock, whatever its mode was.
    clock: 'stepped',
    seed: initialConditions.seed,
    session: { origin: isoOf(initialConditions.origin), ...initialConditions.session },
    ...(initialConditions.faults.length > 0
      ? { faults: [...initialConditions.faults] as never }
      : {}),
    orders: ordersOf(actions, names),
    steps: (await stepsOf(actions, initialConditions, names, clock.now)).map(withDurationText),
    // It reproduces what happened, and does not assert that it was correct.
    expect: { invariants: [] },
  }
}

/** The scenario as the text of a file. */
export const savedScenarioText = async (
  session: SessionApi,
  options?: SaveScenarioOptions,
): Promise<string> => yamlText(await savedScenario(session, options))
