/**
 * What somebody did to a session by hand, as a scenario that does it again: the same orders, the same edits, the same
 * steps. Items are named by what they are about and orders by their slots, so the file can be read, and changed.
 */
import { compact } from '../compact.ts'
import { isoOf } from '../engine/instant.ts'
import { formatDuration } from '../protocol/duration.ts'
import type {
  InitialConditions,
  OperatorAction,
  SessionApi,
  SessionInfo,
  Snapshot,
} from '../session-api/session-api.ts'
import { createNames, type Names } from './save-names.ts'
import { stepOf } from './save-steps.ts'
import type { ScenarioInput } from './schema.ts'
import { yamlText } from './yaml-text.ts'

export interface Saving {
  /** A short sentence: what it shows. */
  readonly name?: string | undefined
  readonly about?: string | undefined
}

type StepInput = NonNullable<ScenarioInput['steps']>[number]

/** Time that went by on its own before a deed, on a clock that nobody held. */
function pause(deed: OperatorAction, since: number, stands: boolean): readonly StepInput[] {
  const ms = Math.round(deed.at - since)
  return stands || ms <= 0 ? [] : [{ advance: ms }]
}

/** Where the clock stands after a deed. */
const after = ({ at, what }: OperatorAction): number =>
  what.kind === 'advance' ? at + what.ms : at

/** Steps one by one, and times one after the other, are one step each. */
function joined(steps: readonly StepInput[]): readonly StepInput[] {
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
  deeds: readonly OperatorAction[],
  { clock, origin }: InitialConditions,
  names: Names,
  end: number,
): Promise<readonly StepInput[]> {
  const steps: StepInput[] = []
  let stands = clock === 'stepped'
  let since = origin
  for (const deed of deeds) {
    steps.push(...pause(deed, since, stands), ...(await stepOf(deed, names)))
    since = Math.max(since, after(deed))
    if (deed.what.kind === 'clock')
      stands = (deed.what.mode ?? (stands ? 'stepped' : 'real')) === 'stepped'
  }
  if (!stands && end > since) steps.push({ advance: Math.round(end - since) })
  return joined(steps)
}

/** Lengths of time as people write them. */
const readable = (step: StepInput): StepInput =>
  typeof step.advance === 'number' ? { advance: formatDuration(step.advance) } : step

/** The orders that somebody placed, by their slots, as they were asked for. */
function ordersOf(
  deeds: readonly OperatorAction[],
  names: Names,
): NonNullable<ScenarioInput['orders']> {
  const orders: Record<string, NonNullable<ScenarioInput['orders']>[string]> = {}
  for (const { what } of deeds) {
    if (what.kind !== 'order') continue
    const { type, items, order } = what.wish
    orders[names.slotOf(what.orderId) ?? what.orderId] = {
      ...compact({ type, items }),
      ...(order === undefined ? {} : { order: order as never }),
    }
  }
  return orders
}

const subjectOf = ({ subject }: SessionInfo): ScenarioInput['subject'] =>
  subject?.role === 'software-service' || subject?.role === 'ordering-application'
    ? subject.role
    : 'nobody'

/** The scenario as data. */
export async function savedScenario(face: SessionApi, saving: Saving = {}): Promise<ScenarioInput> {
  const snapshot: Snapshot = await face.look({ deeds: true })
  const { deeds, info, begun } = snapshot
  if (!begun) throw new Error('this session does not say what it began with')
  const names = await createNames(face)
  const { channel, clock } = info
  return {
    name: saving.name ?? `Done by hand on ${isoOf(begun.origin).slice(0, 16).replace('T', ' ')}`,
    about: saving.about ?? 'What somebody did to a session by hand, step by step.',
    subject: subjectOf(info),
    channel,
    // Whoever plays it drives the clock, whatever it was then.
    clock: 'stepped',
    seed: begun.seed,
    session: { origin: isoOf(begun.origin), ...begun.session },
    ...(begun.faults.length > 0 ? { faults: [...begun.faults] as never } : {}),
    orders: ordersOf(deeds, names),
    steps: (await stepsOf(deeds, begun, names, clock.now)).map(readable),
    // It shows what happened, and not that it should have.
    expect: { invariants: [] },
  }
}

/** The scenario as the text of a file. */
export const savedText = async (face: SessionApi, saving?: Saving): Promise<string> =>
  yamlText(await savedScenario(face, saving))
