/** The keys of a certification's screen. */
import {
  commonKeys,
  type ListKey,
  motionKeys,
  moveByKey,
  mutedNotice,
} from '../../terminal/dashboard/list-screen/list-screen.ts'
import { type CertificationModel, chosenResult } from './model.ts'

/** What only this screen asks for: a person has answered. */
export interface CertificationAction {
  readonly kind: 'answer'
  readonly answer: 'done' | 'skipped'
}

export interface StoppedMessage {
  readonly kind: 'stopped'
}

/** `wish`: a person is asked for something. */
const contexts = ['procedures', 'wish', 'results', 'details', 'help'] as const
export type CertificationKeyContext = (typeof contexts)[number]

export function certificationContextOf(model: CertificationModel): CertificationKeyContext {
  const { view, ended, wish } = model
  if (view !== 'overview') return view
  if (ended) return 'results'
  return wish ? 'wish' : 'procedures'
}

/** Who asks again after it was asked to stop does not want to wait. */
const isOver = ({ ended, isStopping }: CertificationModel): boolean =>
  ended !== undefined || isStopping

type CertificationKey = ListKey<
  CertificationModel,
  CertificationKeyContext,
  StoppedMessage,
  CertificationAction
>

export const certificationKeys: readonly CertificationKey[] = [
  {
    keys: ['enter'],
    contexts: ['wish'],
    title: 'what is asked for is done at your service',
    footer: 'it is done',
    run: () => ({ action: { kind: 'answer', answer: 'done' } }),
  },
  {
    keys: ['s'],
    contexts: ['wish'],
    title: 'skip it: the procedure that needs it ends, the others go on',
    footer: 'skip it',
    run: () => ({ action: { kind: 'answer', answer: 'skipped' } }),
  },
  {
    keys: motionKeys,
    label: 'up down',
    contexts,
    title: 'the row above or below, or scroll; also k and j, pageup and pagedown, home and end',
    footer: 'choose',
    run: moveByKey,
  },
  {
    keys: ['enter'],
    contexts: ['results'],
    title: 'the result in full: clause, problems, exchanges, what to change',
    footer: 'details',
    run: (model) =>
      chosenResult(model)
        ? { message: { kind: 'opened', view: 'details' } }
        : mutedNotice('there is no result'),
  },
  { ...commonKeys.back, contexts: ['details', 'help'], title: 'back to the list' },
  { ...commonKeys.help, contexts },
  {
    keys: ['q'],
    contexts,
    title: 'leave, when it has ended',
    footer: 'quit',
    always: true,
    isOmitted: (model) => !isOver(model),
    run: (model) =>
      isOver(model)
        ? { action: { kind: 'leave' } }
        : mutedNotice('q leaves when it has ended; ctrl-c stops it after this procedure'),
  },
  {
    keys: ['ctrl-c'],
    contexts,
    title: 'stop after the procedure under way, and report; once more leaves the screen',
    footer: 'stop',
    // What cannot be stopped any more needs no key for it.
    isOmitted: isOver,
    run: (model) =>
      isOver(model)
        ? { action: { kind: 'leave' } }
        : { message: { kind: 'stopped' }, action: { kind: 'stop' } },
  },
  { ...commonKeys.suspend, contexts },
]
