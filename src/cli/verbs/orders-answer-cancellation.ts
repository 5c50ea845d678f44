/** `sparring orders answer-cancellation`: our Ordering Application accepts or denies a requested cancellation. */
import { jsonFlag, noColorFlag, talkFlags } from '../flags.ts'
import { ask, sessionOf } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { orderIdOf, orderSummary } from '../find-order.ts'

export const answerCancellation = defineVerb({
  name: 'answer-cancellation',
  summary: 'accept or deny a cancellation that was asked for',
  arguments: [
    { name: 'id', summary: orderSummary, required: true },
    { name: 'answer', summary: 'the answer', required: true, choices: ['accept', 'deny'] },
  ],
  flags: [jsonFlag, noColorFlag, ...talkFlags],
  async run({ id, answer, ...options }, io) {
    const orderId = await orderIdOf(await sessionOf(options), id)
    const done = answer === 'accept' ? 'cancellation accepted' : 'cancellation denied'
    return ask({ kind: 'cancellation.answer', orderId, answer }, `${orderId}: ${done}`, options, io)
  },
})
