/** Schemas of a session and of its menu, for the description of the control API. */
import { z } from 'zod'
import { merchantStatuses } from '../../protocol/auth/merchants.ts'
import { webhookNames } from '../../protocol/operation.ts'
import { signatureNames } from '../../protocol/signature.ts'
import { RoleName } from '../../protocol/role-schema.ts'
import type { Connect, ContactState } from '../../session-api/first-contact.ts'
import type { MenuRow, MenuSnapshot, MerchantRow } from '../../session-api/menu.ts'
import {
  clockModes,
  type ConfigurationNotice,
  type CounterpartInfo,
  type SessionInfo,
} from '../../session-api/session-info.ts'
import { objectLike } from './object-like.ts'

const text = z.string()
const some = text.optional()
const count = z.int().min(0)
const instant = z.number()

export const ClockModeName = z.enum(clockModes)

/** A clock; after `advance` with what remains of it. */
export const ClockBodyOf = (rest: z.ZodRawShape = {}) =>
  z.object({ mode: ClockModeName, speed: z.number(), now: instant, ...rest })

const Counterpart = objectLike<CounterpartInfo>()(() => ({
  role: RoleName,
  url: text,
  behaviour: text,
}))

const Notice = objectLike<ConfigurationNotice>()(() => ({
  seq: count,
  at: instant,
  text,
  failed: z.literal(true).optional(),
  changed: z.array(text).optional(),
  restart: z.array(text).optional(),
}))

const webhooks = z.array(z.object({ events: z.enum(webhookNames), url: text }))

const ConnectBody = objectLike<Connect>()(() => ({
  role: RoleName,
  unassigned: z.literal(true).optional(),
  url: some,
  counterpart: RoleName,
  baseUrl: text,
  tokenUrl: text,
  scope: text.optional(),
  pollUrl: some,
  polls: some,
  sendsTo: webhooks,
  receivesAt: webhooks,
  signature: z.enum(signatureNames),
  counterparts: z.array(z.object({ role: RoleName, clientId: text, clientSecret: some })),
  authority: some,
  curl: text,
  clientId: text,
  clientSecret: some,
}))

const ContactBody = objectLike<ContactState>()(() => ({
  connected: z.object({ at: instant, by: text }).optional(),
  unreachable: some,
  notices: z.array(text),
  waiting: count,
}))

export const SessionBody = objectLike<SessionInfo>()(() => ({
  version: text,
  // It is the setting, which has the prefix of scopes too.
  protocol: z.object({ name: text, version: text, scopePrefix: some }),
  seed: count,
  clock: ClockBodyOf(),
  channel: z.enum(['polling', 'webhook', 'both']),
  counterparts: z.array(Counterpart),
  subject: z.object({ role: RoleName, url: some }).optional(),
  configuration: z.array(Notice).optional(),
  recording: z.object({ file: text, written: count, problem: some }).optional(),
  forked: count.optional(),
  counts: z.object({
    facts: count,
    exchanges: count,
    pending: count,
    loops: count,
    held: count,
    orders: count,
    open: count,
    failed: z.object({
      rejected: count,
      errors: count,
      redirected: count,
      unanswered: count,
      byFault: count,
    }),
    actions: count,
  }),
  connect: ConnectBody.optional(),
  contact: ContactBody.optional(),
  control: some,
}))

const Merchant = objectLike<MerchantRow>()(() => ({
  id: text,
  externalCode: text,
  name: text,
  status: z.enum(merchantStatuses),
  currency: text,
  items: count,
}))

const Item = objectLike<MenuRow>()(() => ({
  merchantId: text,
  externalCode: text,
  name: text,
  category: text,
  price: z.number(),
  unit: z.enum(['UN', 'KG']),
  options: z.array(
    z.object({
      group: text,
      min: count,
      max: count,
      choices: z.array(z.object({ name: text, price: z.number() })),
    }),
  ),
}))

export const MenuBody = objectLike<MenuSnapshot>()(() => ({
  merchants: z.array(Merchant),
  items: z.array(Item),
}))
