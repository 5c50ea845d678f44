/** Keys of a certification's screen: what each one does. */
import { findBinding } from '../../terminal/dashboard/keys/binding.ts'
import type { Motion } from '../../terminal/dashboard/model/message.ts'
import {
  type CertificationKeyContext,
  type CertificationKeyId,
  type CertificationKeyText,
  certificationKeyTexts,
} from './key-texts.ts'
import { type CertificationModel, chosenResult } from './model.ts'
import type { CertificationMessage } from './update.ts'

/** What the screen cannot do by itself. */
export type CertificationAction =
  | { readonly kind: 'answer'; readonly answer: 'done' | 'skipped' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'suspend' }

export interface CertificationKeyOutcome {
  readonly message?: CertificationMessage
  readonly action?: CertificationAction
}

type KeyResponse = (model: CertificationModel, key: string) => CertificationKeyOutcome

const motions: Readonly<Record<string, Motion>> = {
  up: { kind: 'rows', by: -1 },
  k: { kind: 'rows', by: -1 },
  down: { kind: 'rows', by: 1 },
  j: { kind: 'rows', by: 1 },
  pageup: { kind: 'halves', by: -1 },
  'ctrl-u': { kind: 'halves', by: -1 },
  pagedown: { kind: 'halves', by: 1 },
  'ctrl-d': { kind: 'halves', by: 1 },
  home: { kind: 'first' },
  g: { kind: 'first' },
  end: { kind: 'last' },
  G: { kind: 'last' },
}

const told = (text: string): CertificationKeyOutcome => ({
  message: { kind: 'notice', notice: { text, tone: 'muted' } },
})

/** Who asks again after it was told to stop does not want to wait. */
const isOver = ({ ended, isStopping }: CertificationModel): boolean =>
  ended !== undefined || isStopping

const responses: Readonly<Record<CertificationKeyId, KeyResponse>> = {
  'wish.done': () => ({ action: { kind: 'answer', answer: 'done' } }),
  'wish.skip': () => ({ action: { kind: 'answer', answer: 'skipped' } }),
  move: (_, key) => {
    const motion = motions[key]
    return motion ? { message: { kind: 'moved', motion } } : {}
  },
  details: (model) =>
    chosenResult(model)
      ? { message: { kind: 'opened', view: 'details' } }
      : told('there is no result'),
  back: () => ({ message: { kind: 'closed' } }),
  help: ({ view }) => ({
    message: view === 'help' ? { kind: 'closed' } : { kind: 'opened', view: 'help' },
  }),
  quit: (model) =>
    isOver(model)
      ? { action: { kind: 'leave' } }
      : told('q leaves when it has ended; ctrl-c stops it after this procedure'),
  interrupt: (model) =>
    isOver(model)
      ? { action: { kind: 'leave' } }
      : { message: { kind: 'stopped' }, action: { kind: 'stop' } },
  suspend: () => ({ action: { kind: 'suspend' } }),
}

export function certificationContextOf(model: CertificationModel): CertificationKeyContext {
  const { view, ended, wish } = model
  if (view !== 'overview') return view
  if (ended) return 'results'
  return wish ? 'wish' : 'procedures'
}

/** The keys of the footer; what cannot be stopped any more needs no key for it. */
export const certificationFooterKeys = (
  model: CertificationModel,
): readonly CertificationKeyText[] =>
  certificationKeyTexts.filter(
    ({ id, footer, contexts }) =>
      footer !== undefined &&
      contexts.includes(certificationContextOf(model)) &&
      (id !== 'interrupt' || !isOver(model)) &&
      (id !== 'quit' || isOver(model)),
  )

/** What a key does, or a notice that it does nothing. */
export function respondToCertificationKey(
  model: CertificationModel,
  key: string,
): CertificationKeyOutcome {
  const found = findBinding(certificationKeyTexts, certificationContextOf(model), key)
  return found ? responses[found.id](model, key) : told(`${key}: no such key here; ? lists them`)
}
