/** Keys that act on an exchange of a live session. */
import type { KeyBinding } from './binding.ts'
import { answering, inThePast, outcomeOf, withoutSession } from '../model/key-outcomes.ts'
import type { Model } from '../model/model.ts'
import { chosenExchangeSeq } from '../model/open-target.ts'
import { playbackOf } from '../model/recording.ts'

/** The exchange in the detail, or the chosen row; undefined while another kind of detail is open. */
const exchangeSeqOf = (model: Model): number | undefined =>
  model.overlay?.kind === 'detail' && model.overlay.of.kind !== 'exchange'
    ? undefined
    : chosenExchangeSeq(model)

const noExchangeReason = (model: Model): string | undefined =>
  withoutSession(model) ??
  (playbackOf(model) ? 'in a recording, press it in pane 2' : inThePast(model)) ??
  (exchangeSeqOf(model) === undefined ? 'no exchange is chosen: pane 2 lists them' : undefined)

/** The note that the exchange has. */
const noteAt = ({ snapshot }: Model, seq: number): string =>
  snapshot?.traffic.find((each) => each.seq === seq)?.note ?? ''

export const trafficKeys: readonly KeyBinding[] = [
  {
    id: 'exchange.note',
    changes: true,
    meaning: 'note',
    keys: ['#'],
    contexts: ['traffic', 'detail'],
    group: 'look around',
    title: 'in the traffic: write a note',
    footer: 'note',
    footerIn: ['detail'],
    disabledReason: noExchangeReason,
    run(model) {
      const seq = exchangeSeqOf(model)
      return seq === undefined
        ? {}
        : outcomeOf({
            kind: 'prompted',
            prompt: { kind: 'note', seq, draft: noteAt(model, seq) },
          })
    },
  },
  {
    id: 'exchange.note.accept',
    changes: true,
    keys: ['enter'],
    contexts: ['note'],
    group: 'look around',
    title: 'after #: keep the note',
    footer: 'keep',
    run: answering('note', ({ seq, draft }) => ({ kind: 'note', seq, text: draft })),
  },
  {
    id: 'exchange.resend',
    changes: true,
    meaning: 'send again',
    keys: ['R'],
    contexts: ['traffic', 'detail'],
    group: 'look around',
    title: 'in the traffic: send it again, now',
    footer: 'send again',
    disabledReason: noExchangeReason,
    run(model) {
      const seq = exchangeSeqOf(model)
      return seq === undefined ? {} : { action: { kind: 'resend', seq } }
    },
  },
]
