/**
 * Configuration schema: the shape of `sparring.config.{yaml,json,ts}` and of the library's options; flags and
 * environment are merged into it. `sparring schema config` prints it as a JSON Schema.
 */
import { z } from 'zod'
import { clockModes } from '../session-info.ts'
import { Conduct } from '../../protocol/conduct.ts'
import { DialectOrFile } from '../../protocol/dialects/own-dialect.ts'
import { Duration } from '../../protocol/duration.ts'
import { jsonData } from '../../protocol/json-value.ts'
import { orderTypes } from '../../protocol/orders/order.ts'
import type { FeatureSwitch } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'
import { RoleChoice } from '../../protocol/role-schema.ts'
import { behaviourNames } from '../../partners/counterparts/behaviour.ts'
import { PublicUrl } from './public-url.ts'
import { counterpartCredentials, HttpUrl, Merchants, RedirectUris } from './credentials.ts'
import { ContractSetting } from './contract.ts'
import { MenuSetting, MerchantsSetting } from './menu.ts'
import { Subject } from './subject.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { filledText, oneWord, onOrOff } from '../../protocol/setting.ts'

/** Where the spans of a session are exported to. */
const TracingSetting = strictObject(() => ({
  on: onOrOff(false).describe(
    'export a span for each exchange and pass trace contexts on, also without `otlp`: then to OTEL_EXPORTER_OTLP_ENDPOINT, or to http://127.0.0.1:4318',
  ),
  otlp: HttpUrl.optional().describe(
    'the OTLP/HTTP endpoint of a collector, http://127.0.0.1:4318 for one on this machine; naming it switches tracing on',
  ),
  headers: z
    .record(z.string().min(1), z.string())
    .default({})
    .describe('more headers for the collector, such as its API key'),
})).describe('traces by OpenTelemetry')

/** How much time and how many tries the rules allow your service. */
const Tolerances = strictObject(() => ({
  on: onOrOff(true).describe('whether the rules are checked; off is quicker'),
  converge: Duration.default(120_000).describe(
    'after the end of faults, the time within which everything pending must be done',
  ),
  grace: Duration.default(10_000).describe(
    'how long a reaction may take when no faults are active',
  ),
  pollGap: Duration.default(500).describe(
    'the minimum interval of polls; by the wall clock while that of the session stands',
  ),
  webhook: Duration.default(5000).describe(
    'how long the reply to a webhook may take, by the wall clock',
  ),
  tries: z
    .int()
    .min(1)
    .optional()
    .describe(
      'attempts of one call without a pause of `coolDown`, unless their pauses have grown; more of them are a failure (RT-3), and without this setting more than 6 are advice, since no clause says a number',
    ),
  coolDown: Duration.default(10_000).describe(
    'a pause of this length ends a round of attempts: the next attempt begins another',
  ),
  reads: z
    .int()
    .min(1)
    .optional()
    .describe(
      'reads of one order or account within three seconds; more of them are a failure (RC-1), and without this setting more than 8 are advice, since no clause says a number',
    ),
  inFlight: Duration.default(1000).describe(
    'how long calls may still arrive that were in flight when something became known, by the wall clock',
  ),
}))
  .prefault({})
  .describe('how patient the verdicts about your service are')

const Port = z.int().min(0).max(65_535)

/** Where a counterpart is, and who it is. */
const addressFields = (role: Role) => ({
  port: Port.optional().describe(
    'port of this role, in place of one of the next four after `port`',
  ),
  publicUrl: PublicUrl.optional().describe(
    'the URL under which others reach this role, in place of `publicUrl`',
  ),
  url: HttpUrl.optional().describe(
    'URL of a partner, or of another session, that plays this role in place of ours',
  ),
  credentials: counterpartCredentials(role),
})
const Behaviour = oneWord(behaviourNames, 'prompt').describe(
  'behaviour profile: its delays, omissions and repetitions',
)

export const channelNames = ['polling', 'webhook', 'both'] as const
const Channel = z.enum(channelNames)

const Arrivals = strictObject(() => ({
  every: Duration.optional().describe('a new order this often; none when absent or 0'),
  limit: z.int().min(1).optional().describe('orders that it creates at most'),
  mix: z
    .partialRecord(z.enum(orderTypes), z.int().min(0))
    .refine((mix) => Object.values(mix).some((weight) => weight > 0), {
      message: 'one profile at least needs a weight above 0',
    })
    .default({ DELIVERY: 6, TAKEOUT: 3, INDOOR: 1 })
    .describe('how often each profile comes, as weights'),
}))

const OrderingApplication = strictObject(() => ({
  ...addressFields('ordering-application'),
  channel: Channel.optional().describe('how it delivers events'),
  behaviour: Behaviour,
  processing: Duration.optional().describe(
    'the time between 202 and its effect; drawn by the behaviour when absent',
  ),
  concludeAfter: Duration.optional().describe(
    'the time between the end of an order and CONCLUDED; drawn by the behaviour when absent',
  ),
  orders: Arrivals.prefault({}).describe('orders that it creates by itself'),
  deliveries: onOrOff(true).describe(
    'it has its DELIVERY orders delivered by the Delivery Platform',
  ),
  courierEvents: onOrOff(false).describe(
    'it reports couriers by the informational events of Orders',
  ),
}))

const SoftwareService = strictObject(() => ({
  ...addressFields('software-service'),
  behaviour: Behaviour,
  pollEvery: Duration.optional().describe(
    'the pause between two polls; drawn by the behaviour when absent',
  ),
  deliveries: onOrOff(false).describe('it has DELIVERY orders delivered by the Delivery Platform'),
}))

const DeliveryPlatform = strictObject(() => ({
  ...addressFields('delivery-platform'),
  behaviour: Behaviour,
  trackingMode: oneWord(['push', 'pull'], 'push').describe(
    'delivery events are sent by webhook, or seen with GET',
  ),
  others: z
    .array(HttpUrl)
    .max(10)
    .default([])
    .describe('further platforms, asked in turn for what this one does not deliver'),
}))

const Crm = strictObject(() => ({
  ...addressFields('crm'),
  behaviour: Behaviour,
  mode: oneWord(['push', 'pull', 'hybrid'], 'push').describe(
    'the Ordering Application pushes customer data, the CRM pulls it, or both',
  ),
}))

const switchFor = (what: string) => onOrOff(true).describe(what)

/** Top-level keys with their schemas, built lazily: most configurations use two or three of them. */
export const configurationParts = {
  protocol: () =>
    z
      .strictObject({
        name: z
          .string()
          .regex(/^[a-z0-9-]+$/)
          .default('protocol')
          .describe('last segment of /.well-known/<name>'),
        scopePrefix: filledText('proto').describe('prefix of scopes: proto.orders'),
        version: filledText('v2').describe('version of the protocol that manifests declare'),
      })
      .prefault({})
      .describe('names that manifests and scopes are made of'),
  seed: () =>
    z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .default(42)
      .describe(
        'the seed for generated data: the same seed gives the same ids; where none is given, `sparring up` and `sparring run` draw a new one',
      ),
  clock: () =>
    oneWord(clockModes, 'real').describe(
      'real follows the wall clock, stepped waits for you, virtual jumps to the next due item',
    ),
  origin: () =>
    z.iso
      .datetime({ offset: true })
      .transform((origin) => Date.parse(origin))
      .optional()
      .describe(
        'the instant at which the session begins; now, or a fixed one on the virtual clock',
      ),
  speed: () =>
    z.number().positive().max(1000).default(1).describe('speed factor of the real clock'),
  host: () => z.string().default('127.0.0.1').describe('the address to listen on'),
  publicUrl: () =>
    PublicUrl.optional().describe(
      'the URL under which others reach the roles, for manifests and events, where that is not the address to listen on: http://sparring for a container of that name, with the port of each role; {port} and {role} are replaced by those of the role',
    ),
  allowedHosts: () =>
    z
      .array(z.hostname())
      .default([])
      .describe(
        'names, besides those of the loopback, `host` and `publicUrl`, under which requests may come; a request for another host is a 421',
      ),
  tls: () =>
    z
      .union([z.boolean(), z.strictObject({ cert: z.string().min(1), key: z.string().min(1) })])
      .default(false)
      .describe('HTTPS, with a certificate made on this machine or with the files named'),
  port: () => Port.default(7100).describe('the control port; 0 chooses all ports'),
  subject: () => Subject.prefault({}).describe('your service; Sparring plays the other roles'),
  counterparts: () =>
    z
      .strictObject({
        'ordering-application': OrderingApplication.prefault({}).describe(
          'the Ordering Application: marketplace or kiosk',
        ),
        'software-service': SoftwareService.prefault({}).describe(
          'the Software Service: restaurant POS',
        ),
        'delivery-platform': DeliveryPlatform.prefault({}).describe('the Delivery Platform'),
        crm: Crm.prefault({}).describe('the CRM'),
      })
      .prefault({})
      .describe('the roles that Sparring plays'),
  capabilities: () =>
    z
      .strictObject({
        orders: switchFor('orders and their events'),
        indoor: switchFor('dining accounts, payments and fiscal documents'),
        logistics: switchFor('quotes, deliveries and tracking'),
        customer: switchFor('customers, leads and their orders'),
        reviews: switchFor('reviews'),
        loyalty: switchFor('loyalty accounts, points and coupons'),
      } satisfies Record<FeatureSwitch, z.ZodType>)
      .refine(({ orders, indoor }) => orders || !indoor, {
        path: ['indoor'],
        message: 'Indoor needs Orders: switch it off as well (ORD-GEN-08)',
      })
      .prefault({})
      .describe('what this session has; what is off is neither declared nor served'),
  clients: () =>
    z
      .array(
        z.strictObject({
          clientId: z.string().min(1),
          clientSecret: z.string().min(1),
          role: RoleChoice,
          merchants: Merchants,
          redirectUris: RedirectUris,
        }),
      )
      .default([])
      .describe('more credentials that our counterparts accept'),
  merchants: () => MerchantsSetting.optional(),
  menu: () => MenuSetting.optional(),
  dialect: () =>
    DialectOrFile.optional().describe(
      'a partner’s way of speaking, whose options count where conduct sets none: one by its name, or the name of a YAML or JSON file with one of your own',
    ),
  conduct: () =>
    Conduct.prefault({}).describe(
      'protocol options: what the protocol leaves open, and partners do differently',
    ),
  contract: () => ContractSetting.default([]),
  faults: () =>
    z
      .array(jsonData())
      .default([])
      .describe('active faults: by name with their options, or names of profiles'),
  tolerances: () => Tolerances,
  tracing: () => TracingSetting.prefault({}),
  recording: () =>
    z
      .strictObject({
        file: z
          .string()
          .min(1)
          .optional()
          .describe(
            'record every exchange to this file, or into this folder when the name ends with a slash: then in segments that are compressed when they are full, for as long as you like',
          ),
        redact: onOrOff(true).describe(
          'replace secrets and personal data by placeholders; without, the recording may only be in a folder that git ignores, such as recordings/raw/',
        ),
        unsafe: onOrOff(false).describe(
          'with redact: false the recording may be in any folder, with secrets and personal data in it',
        ),
        keepBinary: onOrOff(false).describe(
          'keep bodies that are no text although they cannot be redacted',
        ),
        fsync: oneWord(['each', 'timer', 'off'], 'timer').describe(
          'when written data is flushed to the disk: with each write, ten times a second, or never explicitly; matters only if the machine itself goes down',
        ),
      })
      .prefault({})
      .describe('the recording of all traffic'),
} as const satisfies Record<string, () => z.ZodType>

type Parts = typeof configurationParts

export const Configuration = strictObject(
  () =>
    Object.fromEntries(
      Object.entries(configurationParts).map(([name, shape]) => [name, shape()]),
    ) as { [Name in keyof Parts]: ReturnType<Parts[Name]> },
)

/** A configuration with every default filled in. */
export type Configuration = z.infer<typeof Configuration>
/** A configuration as written by the user, before defaults. */
export type ConfigurationInput = z.input<typeof Configuration>
