/** Which actions change the session: a viewer that only looks does none of them. */
import type { Action, KeyOutcome } from './message.ts'
import type { Model } from './model.ts'

const changing: Readonly<Record<Action['kind'], boolean>> = {
  submit: true,
  create: true,
  step: true,
  batch: true,
  turn: true,
  'release-all': true,
  edit: true,
  fault: true,
  save: false,
  'next-failure': false,
  resend: true,
  note: true,
  judge: true,
  fork: true,
  toggle: true,
  speed: true,
  copy: false,
  clock: true,
  advance: true,
  'show-missed': false,
  seek: true,
  next: false,
  bookmark: true,
  accept: true,
  'turn-edit': true,
  'send-alone': true,
  'go-on': true,
  export: false,
  minimise: true,
  quit: false,
  suspend: false,
}

export const isChange = (action: Action): boolean => changing[action.kind]

export const isViewOnly = ({ snapshot }: Pick<Model, 'snapshot'>): boolean =>
  snapshot?.attached?.readOnly === true

/** Why nothing can be changed; undefined where it can. */
export const readOnlyReason = (model: Pick<Model, 'snapshot'>): string | undefined =>
  isViewOnly(model) ? 'read-only: this would change the session' : undefined

/** What a key or a command does; of what would change a session that is only looked at, nothing. */
export function withoutChanges(model: Model, outcome: KeyOutcome): KeyOutcome {
  const text = outcome.action && isChange(outcome.action) ? readOnlyReason(model) : undefined
  if (text === undefined) return outcome
  return { messages: [{ kind: 'notice', notice: { text, tone: 'warn' } }] }
}
