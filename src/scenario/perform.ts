/** Executes one step of a scenario; throws `StepFailure` when it is refused or times out. */
import { compact } from '../compact.ts'
import type { Command } from '../engine/command.ts'
import { StepFailure } from './step-actions.ts'
import { agendaSteps } from './perform-agenda.ts'
import { orderSteps } from './perform-order.ts'
import { performAsk, performCheck, performAwait } from './perform-wait.ts'
import type { StepHandler, StepContext } from './step-context.ts'
import type { StepEntry, StepKind } from './steps.ts'

/** Replaces slots by order ids in the `orderId` fields of a command. */
function withIds(value: unknown, performer: StepContext): unknown {
  if (Array.isArray(value)) return value.map((each) => withIds(each, performer))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      key === 'orderId' && typeof each === 'string' && /^o[1-9]\d*$/.test(each)
        ? [key, performer.actions.order(each)]
        : [key, withIds(each, performer)],
    ),
  )
}

/** Handler of each kind of step. */
const handlers: { readonly [Each in StepKind]: StepHandler<Each> } = {
  ...orderSteps,
  ...agendaSteps,
  await: performAwait,
  check: performCheck,
  ask: performAsk,
  advance: (ms, { clock: time }) => time.advance(ms),
  async fault(spec, { actions: hand }) {
    await hand.submit({ kind: 'fault.add', spec })
  },
  async 'end-of-faults'(_, { actions: hand }) {
    await hand.submit({ kind: 'fault.end' })
  },
  async clock({ mode, speed }, { session }) {
    await session.setClock(compact({ mode, speed }))
  },
  async command(input, performer) {
    await performer.actions.submit(withIds(input, performer) as Command)
  },
  async 'restart-subject'(_, { restartSubject }) {
    if (!restartSubject)
      throw new StepFailure('only who started your service can start it again: say --start')
    await restartSubject()
  },
}

export const performStep = (
  { kind: word, input }: StepEntry,
  performer: StepContext,
): Promise<void> =>
  (handlers[word] as (input: unknown, performer: StepContext) => Promise<void>)(input, performer)
