/** Configuration of the user's service: its role, address, credentials, and what it offers to scenarios. */
import { z } from 'zod'
import type { WebhookName } from '../../protocol/operation.ts'
import { RoleChoice } from '../../protocol/role-schema.ts'
import { Credentials, HttpUrl } from './credentials.ts'
import { Effects } from './effects.ts'
import { strictObject } from '../../base/lazy-object.ts'

const webhookPath = (name: WebhookName) =>
  z
    .string()
    .startsWith('/')
    .default(`/webhooks/${name}`)
    .describe(`path of your service for webhooks of ${name}`)

/** So many processes of a service at most. */
export const maxReplicas = 8

/** Where scenarios ask a service for what a person would, unless it is configured. */
export const defaultAsks = {
  cancellation: '/probe/orders/{orderId}/request-cancellation',
  order: '/probe/orders',
} as const

export const Subject = strictObject(() => ({
  role: RoleChoice.optional().describe('the role that your service plays; we play the others'),
  url: HttpUrl.optional().describe('URL of your service'),
  replicas: z
    .union([z.int().min(1).max(maxReplicas), z.array(HttpUrl).max(maxReplicas - 1)])
    .optional()
    .describe(
      'processes of your service that share its data: how many --start starts, or the URLs of the further ones; our calls go to each in turn, and rules about what one process remembers are not judged',
    )
    .meta({ examples: [2, ['http://127.0.0.1:3001']] }),
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
        .default(defaultAsks.cancellation)
        .describe(
          'a path of your service: a POST to it makes your service ask to cancel the order, or cancel it where it hosts it',
        ),
      order: z
        .string()
        .startsWith('/')
        .default(defaultAsks.order)
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
  effects: Effects,
}))

/** The addresses of the further processes of a service; a number of them has none before they are started. */
export const replicaUrls = ({
  replicas,
}: Pick<z.output<typeof Subject>, 'replicas'>): readonly string[] =>
  Array.isArray(replicas) ? replicas : []
