/**
 * Procedures of the first contact: manifests as they are read and as they are of no use, limits that they declare, and calls
 * without a token, with one that is no good, and with each scope.
 */
import { createStimulus } from './activity.ts'
import { answersAgain, beginsAnew, restarts } from '../../../core/rules/checks/blameless.ts'
import { readUntil, defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { capabilityIn } from '../../../core/rules/checks/transport/manifests.ts'
import { isBusinessCall, readsManifest } from '../../../core/rules/checks/transport/begin-anew.ts'
import { dayMs, limitRoles } from '../../../core/rules/checks/transport/limits.ts'
import { hasCalled } from '../orders/served-orders.ts'
import type { OperationId, CatalogueRow } from '../../../core/protocol/catalogue.ts'
import { signatureHeaders } from '../../../core/protocol/signature.ts'
import type { Operation } from '../../../core/protocol/operation.ts'
import { type DomainScope, fineScopes } from '../../../core/protocol/auth/scopes.ts'
import { roles } from '../../../core/protocol/role.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { isUnserved } from '../../../core/rules/checks/transport/error-body.ts'
import { callOfNothing, firstCaller, isAboutOneThing, protectedOperations } from './callers.ts'

/** How long a service may take to read a manifest: that of a restart, and of its next attempt. */
export const readMs = 40_000

/** How long it is watched after it has read a manifest that is of no use. */
export const watchedMs = 1500

export type Publication = 'hidden' | 'invalid' | 'other-version' | 'valid'

/** Restarts the service, and waits until it answers again. */
export async function restart(context: ProcedureContext): Promise<void> {
  await context.bringAbout({ note: restarts, text: 'the service' }, () =>
    context.ask({ kind: 'begin-anew' }),
  )
  const as = firstCaller(context.role)
  const answer = await readUntil(
    context,
    () => context.call('answers-again', { as, operation: 'getManifest' }),
    ({ status }) => status > 0 && status < 500,
    { within: readMs, what: 'an answer of the service after its restart' },
  )
  if (answer.status === 0) context.skip(`it did not answer again in ${readMs / 1000} s`)
  context.note(answersAgain, 'the service')
}

export async function publish(
  context: ProcedureContext,
  publication: Publication,
): Promise<boolean> {
  const known = context.observed().filter(readsManifest).length
  await context.configure([{ path: ['conduct', 'publishManifest'], value: publication }])
  await context.bringAbout({ note: beginsAnew, text: publication }, async () => {
    if (publication === 'hidden') await restart(context)
  })
  const read = await context.until(() => context.observed().filter(readsManifest).length > known, {
    within: readMs,
  })
  return read === true
}

/**
 * An order that a Software Service has read, whose confirmation and the acknowledgment of whose events fail until it goes
 * on: after a restart polls bring them again.
 */
async function openOrder(context: ProcedureContext) {
  if (context.role !== 'software-service' || !context.capabilities.includes('orders'))
    return undefined
  const { orderId } = await context.createOrder({ type: 'DELIVERY' })
  const operations = ['confirmOrder', 'acknowledgeEvents']
  const goOn = context.fault({ fail: { operation: operations, order: orderId } })
  await context.until(() => hasCalled(context, 'confirmOrder', orderId))
  return { orderId, goOn }
}

/** More than this is not sent, whatever the service declares. */
export const maxRecordsSent = 2000

/** How long the service may take until it has read our manifests and its merchants. */
export const acquaintanceMs = 5000

/** A webhook is signed too; here neither proves who calls. */
const unsigned = Object.fromEntries(
  [...signatureHeaders, 'x-app-id'].map((name) => [name, undefined]),
)

export async function readManifest(context: ProcedureContext): Promise<unknown> {
  const read = await context.call('manifest', {
    as: firstCaller(context.role),
    operation: 'getManifest',
  })
  return read.reply
}

/** A scope that does not suffice for the operation: another fine one of the domain, or another domain. */
function insufficientScope({ scope, fine }: ScopeNeed): string {
  const other = Object.entries(fineScopes).find(
    ([name, domain]) => fine !== undefined && domain === scope && name !== fine,
  )
  return other?.[0] ?? (scope === 'menu' ? 'orders' : 'menu')
}

interface ScopeNeed {
  readonly scope: DomainScope
  readonly fine?: string
}

/** For each scope two operations that need it: those about no single thing first. */
function representatives(
  rows: readonly CatalogueRow[],
): readonly (readonly [Operation, ScopeNeed])[] {
  const chosen = new Map<string, (readonly [Operation, ScopeNeed])[]>()
  const sorted = rows.toSorted((a, b) => Number(isAboutOneThing(a)) - Number(isAboutOneThing(b)))
  for (const row of sorted) {
    if (typeof row.access !== 'object') continue
    const need: ScopeNeed = row.access
    const key = need.fine ?? need.scope
    const known = chosen.get(key) ?? []
    if (known.length < 2) chosen.set(key, [...known, [row, need]])
  }
  return [...chosen.values()].flat()
}

/** The same token request with another field. */
function withField({ exchange, request }: Observed, name: string, value: string): string {
  if (typeof request === 'object' && request !== null)
    return JSON.stringify({ ...request, [name]: value })
  const fields = new URLSearchParams(exchange.request.body)
  fields.set(name, value)
  return fields.toString()
}

const shared = { roles } as const

/** The first contact. */
export const introductionProcedures = defineProcedures(shared, {
  introduction: {
    about:
      'reads the manifest as a client and as a browser, and the merchants; the service reads ours',
    async run(context) {
      const as = firstCaller(context.role)
      const manifest = { as, operation: 'getManifest' } as const
      const merchants = { as, operation: 'listMerchants' } as const
      await context.call('read', manifest)
      await context.call('read-again', manifest)
      await context.call('read-from-browser', {
        ...manifest,
        headers: { origin: 'https://console.example' },
      })
      await context.call('merchants', merchants)
      await context.call('merchants-again', merchants)
      await context.call('merchants-without-token', { ...merchants, token: 'none' })
      await context.until(
        () =>
          context
            .observed()
            .some(({ isCall, operation }) => isCall && operation === 'listMerchants'),
        { within: acquaintanceMs },
      )
    },
  },
})

/** What is served to whom, and how much of it. */
export const accessProcedures = defineProcedures(shared, {
  /** Every protected operation without a token, and some with one that is no good. */
  access: {
    isMisuse: true,
    about:
      'calls each protected operation without a token, and some with a token that is malformed or unknown',
    async run(context) {
      const rows = protectedOperations(context, await readManifest(context))
      for (const row of rows) {
        const call = { ...callOfNothing(row, context), headers: unsigned }
        const { status, url } = await context.call(`without-token/${row.id}`, {
          ...call,
          token: 'none',
        })
        // Nothing is found there, by the operation or by the router: a path that is none shows which.
        if (isUnserved({ status }) && isAboutOneThing(row))
          await context.call(`no-such-path/${row.id}`, {
            ...call,
            token: 'none',
            url: `${url.href}/${context.unknownId()}`,
          })
      }
      for (const row of rows.filter((each: Operation) => !each.webhook).slice(0, 3)) {
        const call = callOfNothing(row, context)
        await context.call(`malformed-token/${row.id}`, {
          ...call,
          token: 'none',
          headers: { authorization: 'Bearer' },
        })
        const value = context.unknownId()
        await context.call(`unknown-token/${row.id}`, { ...call, token: { value } })
      }
    },
  },
  /** Calls with the domain's scope, with the operation's own, and with one that does not suffice. */
  scopes: {
    isMisuse: true,
    about:
      'calls operations of each scope with that scope, with its domain’s, and with another one',
    async run(context) {
      const manifest = await readManifest(context)
      const rows = protectedOperations(context, manifest)
      for (const [row, need] of representatives(rows)) {
        const call = callOfNothing(row as CatalogueRow, context)
        const withScope = (step: string, scope: string): Promise<Observed> =>
          context.call(`${step}/${row.id}`, { ...call, token: { scopes: [scope] } })
        await withScope('domain', need.scope)
        if (need.fine !== undefined) await withScope('fine', need.fine)
        await withScope('insufficient', insufficientScope(need))
      }
    },
  },
  /** Token requests that have to fail. */
  'token-requests': {
    isMisuse: true,
    about: 'asks for a token with a wrong secret, and as an unknown client',
    async run(context) {
      const as = firstCaller(context.role)
      await context.call('merchants', {
        as,
        operation: 'listMerchants',
        token: { scopes: ['orders'] },
      })
      const asked =
        context.observed().findLast(({ operation }) => operation === 'issueToken') ??
        context.skip('no token was asked for')
      const type = asked.requestHeader('content-type') ?? 'application/json'
      const ask = (step: string, text: string): Promise<Observed> =>
        context.call(step, { as, operation: 'issueToken', text, headers: { 'content-type': type } })
      await ask('wrong-secret', withField(asked, 'client_secret', context.unknownId()))
      await ask('unknown-client', withField(asked, 'client_id', context.unknownId()))
    },
  },
  /** One request above each declared limit but that of the rate: no service is flooded. */
  limits: {
    about:
      'sends one batch above the declared maxBatchSize, of empty records, and asks for a period above maxGetPeriodDays',
    roles: limitRoles,
    needs: ['customer'],
    changes: 'nothing: the records of the batch are empty; the declared rate is never exceeded',
    async run(context) {
      const manifest = await readManifest(context)
      const block = capabilityIn(manifest, 'customer')?.block ?? {}
      const { maxBatchSize, maxGetPeriodDays } = block
      const rows = protectedOperations(context, manifest)
      const find = (...ids: readonly OperationId[]) =>
        rows.find(({ id }: Operation) => ids.some((name) => name === id))
      const as = context.role === 'crm' ? firstCaller(context.role) : 'crm'
      const ingest = find('ingestCustomer', 'upsertCustomers')
      if (ingest && typeof maxBatchSize === 'number' && maxBatchSize < maxRecordsSent)
        await context.call('batch', {
          as,
          operation: ingest.id,
          body: { customers: Array.from({ length: maxBatchSize + 1 }, () => ({})) },
        })
      const list = find('getCustomers', 'listCustomers')
      if (list && typeof maxGetPeriodDays === 'number') {
        const from = context.now() - (maxGetPeriodDays + 1) * dayMs
        await context.call('period', {
          as,
          operation: list.id,
          query: {
            updatedFrom: new Date(from).toISOString(),
            updatedTo: new Date(context.now()).toISOString(),
          },
        })
      }
    },
  },
})

/** The last ones: the service loses what it knew. */
export const restartProcedures = defineProcedures(shared, {
  /** While our manifests are missing, invalid or of another version; then they are valid. */
  'begin-anew': {
    about:
      'restarts the service while our manifests are missing, then invalid, then of another version',
    actions: ['a restart of the service', 'a DELIVERY order'],
    changes: 'a restart of the service, and three DELIVERY orders',
    async run(context) {
      const stimulate = createStimulus(context)
      const open = await openOrder(context)
      for (const publication of ['hidden', 'invalid', 'other-version'] as const) {
        if (!(await publish(context, publication))) {
          // One that reads none has something to do as well.
          if (publication === 'hidden') await stimulate()
          await context.sleep(watchedMs)
          context.skip(`it did not read our manifest again in ${readMs / 1000} s`)
        }
        // Something to do, which has to wait.
        if (publication !== 'invalid') await stimulate()
        await context.sleep(watchedMs)
      }
      open?.goOn()
      await publish(context, 'valid')
      await context.until(() => context.observed().some(isBusinessCall), { within: readMs })
      if (!open) return
      const { orderId } = open
      await context.until(() => hasCalled(context, 'confirmOrder', orderId, 202), {
        within: readMs,
      })
      context.note('open-at-restart', orderId)
    },
  },
})
