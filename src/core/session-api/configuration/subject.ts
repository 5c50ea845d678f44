/** Configuration of the user's service: its role, address, credentials, and what it offers to scenarios. */
import { z } from 'zod'
import type { WebhookName } from '../../protocol/operation.ts'
import { RoleChoice } from '../../protocol/role-schema.ts'
import { Credentials, HttpUrl } from './credentials.ts'
import { strictObject } from '../../base/lazy-object.ts'

const webhookPath = (name: WebhookName) =>
  z
    .string()
    .startsWith('/')
    .default(`/webhooks/${name}`)
    .describe(`path of your service for webhooks of ${name}`)

export const Subject = strictObject(() => ({
  role: RoleChoice.optional().describe('the role that your service plays; we play the others'),
  url: HttpUrl.optional().describe('URL of your service'),
  replicas: z
    .array(HttpUrl)
    .min(1)
    .optional()
    .describe(
      'URLs of further processes of your service that share its data: our calls go to each in turn, and rules about what one process remembers are not judged',
    ),
  ca: z
    .string()
    .min(1)
    .optional()
    .describe('file with the authority behind its certificate, where that is a private one'),
  webhooks: z
    .strictObject({
      orders: webhookPath('orders'),
      accounts: webhookPath('accounts'),
      delivery: webhookPath('delivery'),
      customer: webhookPath('customer'),
      loyalty: webhookPath('loyalty'),
    } satisfies Record<WebhookName, z.ZodType>)
    .prefault({})
    .describe('the paths on which your service receives events'),
  credentials: Credentials.prefault({}).describe(
    'what your service identifies itself with; webhooks to it are signed with this secret (X-App-Signature)',
  ),
  asks: z
    .strictObject({
      cancellation: z
        .string()
        .startsWith('/')
        .includes('{orderId}')
        .default('/probe/orders/{orderId}/request-cancellation')
        .describe(
          'a path of your service: a POST to it makes your service ask to cancel the order, or cancel it where it hosts it',
        ),
      order: z
        .string()
        .startsWith('/')
        .default('/probe/orders')
        .describe(
          'a path of your service, where it hosts orders: a POST to it makes your service place one, such as {"type":"DELIVERY"}',
        ),
    })
    .prefault({})
    .describe(
      'paths of your service on which scenarios ask it for what a person at its screen would',
    ),
  probe: z
    .string()
    .startsWith('/')
    .includes('{orderId}')
    .optional()
    .describe('a path of your service that returns an order as it sees it: /orders/{orderId}')
    .meta({ examples: ['/orders/{orderId}'] }),
}))
