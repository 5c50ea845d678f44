/** A recording of independent webhooks, one millisecond apart, each for another order; of fixed ids, unlike that of the bench. */
import { createWebhookRecording } from '../../bench/webhook-recording.ts'
import type { RecordingContent } from '../../src/core/traffic/recording/content.ts'

export function webhookRecording(count: number): RecordingContent {
  const { exchanges, ...recording } = createWebhookRecording(count)
  const createdAt = recording.header._rec.created
  return {
    ...recording,
    exchanges: exchanges.map((each, place) => {
      const [eventId, orderId] = [`event-${1000 + place}`, `order-${1000 + place}`]
      const body = JSON.stringify({ eventId, eventType: 'CREATED', orderId, createdAt })
      return { ...each, orderId, eventIds: [eventId], request: { ...each.request, body } }
    }),
  }
}
