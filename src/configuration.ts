/**
 * What a session may be told: the shape of `sparring.config.{yaml,json,ts}`, of the library's options, and of what
 * flags and environment are merged into. `sparring schema config` prints it as a JSON Schema.
 */
import { z } from 'zod'
import { Conduct } from './protocol/conduct.ts'
import { Duration } from './protocol/duration.ts'
import { orderTypes } from './protocol/orders/order.ts'
import { Role } from './protocol/role.ts'
import { temperamentNames } from './counterparts/temperament.ts'

const Port = z.int().min(0).max(65_535)
const Temperament = z.enum(temperamentNames)
const HttpUrl = z.url({ protocol: /^https?$/, error: 'is no http or https URL' })

export const channelNames = ['polling', 'webhook', 'both'] as const
const Channel = z.enum(channelNames)

const Credentials = z.strictObject({
  clientId: z.string().min(1).default('subject'),
  clientSecret: z.string().min(1).default('secret'),
})

const Subject = z.strictObject({
  role: Role.optional().describe('the role that your service plays; we play the others'),
  url: HttpUrl.optional().describe('where your service answers'),
  webhooks: z
    .strictObject({ orders: z.string().startsWith('/').default('/webhooks/orders') })
    .prefault({})
    .describe('the paths on which your service receives events'),
  credentials: Credentials.prefault({}).describe('what your service identifies itself with'),
})

const Arrivals = z.strictObject({
  every: Duration.optional().describe(
    'a new order this often; none of its own accord when absent or 0',
  ),
  limit: z.int().min(1).optional().describe('orders made of its own accord at most'),
  mix: z
    .partialRecord(z.enum(orderTypes), z.int().min(0))
    .default({ DELIVERY: 6, TAKEOUT: 3, INDOOR: 1 })
    .describe('how often each profile comes, as weights'),
})

const OrderingApplication = z.strictObject({
  port: Port.optional(),
  channel: Channel.optional().describe('how it hands events over'),
  temperament: Temperament.default('prompt'),
  processing: Duration.optional().describe('the time between 202 and its effect'),
  concludeAfter: Duration.optional().describe('the time between the end of an order and CONCLUDED'),
  orders: Arrivals.prefault({}),
})

const SoftwareService = z.strictObject({
  port: Port.optional(),
  temperament: Temperament.default('prompt'),
  pollEvery: Duration.optional().describe('the pause between two polls'),
})

export const Configuration = z.strictObject({
  protocol: z
    .strictObject({
      name: z
        .string()
        .regex(/^[a-z0-9-]+$/)
        .default('protocol')
        .describe('last segment of /.well-known/<name>'),
      scopePrefix: z.string().min(1).default('proto'),
      version: z.string().min(1).default('v2'),
    })
    .prefault({}),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(42),
  clock: z.enum(['real', 'stepped', 'virtual']).default('real'),
  origin: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional()
    .describe('the instant at which the session begins; now, or a fixed one on the virtual clock'),
  speed: z.number().positive().max(1000).default(1).describe('how fast the real clock runs'),
  host: z.string().default('127.0.0.1').describe('the address to listen on'),
  port: Port.default(7100).describe('the control port; 0 chooses all ports'),
  subject: Subject.prefault({}),
  counterparts: z
    .strictObject({
      'ordering-application': OrderingApplication.prefault({}),
      'software-service': SoftwareService.prefault({}),
    })
    .prefault({}),
  clients: z
    .array(
      z.strictObject({
        clientId: z.string().min(1),
        clientSecret: z.string().min(1),
        role: Role,
        merchants: z
          .array(z.string())
          .optional()
          .describe('the merchants that it sees: one for a credential made per merchant'),
      }),
    )
    .default([])
    .describe('more credentials that our counterparts accept'),
  conduct: Conduct.prefault({}),
  recording: z
    .strictObject({
      file: z.string().optional().describe('record every exchange to this file'),
      redact: z.boolean().default(true),
    })
    .prefault({}),
})

/** A configuration with every default filled in. */
export type Configuration = z.infer<typeof Configuration>
/** A configuration as a person writes it. */
export type ConfigurationInput = z.input<typeof Configuration>
