/** `sparring orders answer-cancellation`: our Ordering Application accepts or denies a requested cancellation. */
import { jsonFlag, noColorFlag, controlFlags } from '../flags.ts'
import { submitCommand, connectToSession } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { resolveOrderId, orderArgumentSummary } from '../resolve-order-id.ts'

export const ordersAnswerCancellationVerb = defineVerb({
  name: 'answer-cancellation',
  summary: 'accept or deny a requested cancellation',
  arguments: [
    { name: 'id', summary: orderArgumentSummary, required: true },
    { name: 'answer', summary: 'the answer', required: true, choices: ['accept', 'deny'] },
  ],
  flags: [jsonFlag, noColorFlag, ...controlFlags],
  async run({ id, answer, ...options }, io) {
    const orderId = await resolveOrderId(await connectToSession(options), id)
    const done = answer === 'accept' ? 'cancellation accepted' : 'cancellation denied'
    return submitCommand(
      { kind: 'cancellation.answer', orderId, answer },
      `${orderId}: ${done}`,
      options,
      io,
    )
  },
})
