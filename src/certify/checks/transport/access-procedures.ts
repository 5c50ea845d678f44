/** Procedures of authentication with a host: calls without a token, with one that is no good, and with each scope. */
import { signatureHeaders } from '../../../core/protocol/signature.ts'
import type { CatalogueRow } from '../../../core/protocol/catalogue.ts'
import type { Operation } from '../../../core/protocol/operation.ts'
import { type DomainScope, fineScopes } from '../../../core/protocol/auth/scopes.ts'
import { roles } from '../../../core/protocol/role.ts'
import { defineProcedure, type ProcedureContext } from '../../judge/procedure.ts'
import type { Observed } from '../../judge/trace.ts'
import { isUnserved } from './operation-rows.ts'
import { callOfNothing, firstCaller, isAboutOneThing, protectedOperations } from './callers.ts'

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

/** Every protected operation without a token, and some with one that is no good. */
export const access = defineProcedure({
  name: 'access',
  isMisuse: true,
  about:
    'calls each protected operation without a token, and some with a token that is malformed or unknown',
  roles,
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
})

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

/** Calls with the domain's scope, with the operation's own, and with one that does not suffice. */
export const scopes = defineProcedure({
  name: 'scopes',
  isMisuse: true,
  about: 'calls operations of each scope with that scope, with its domain’s, and with another one',
  roles,
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
})

/** The same token request with another field. */
function withField({ exchange, request }: Observed, name: string, value: string): string {
  if (typeof request === 'object' && request !== null)
    return JSON.stringify({ ...request, [name]: value })
  const fields = new URLSearchParams(exchange.request.body)
  fields.set(name, value)
  return fields.toString()
}

/** Token requests that have to fail. */
export const tokenRequests = defineProcedure({
  name: 'token-requests',
  isMisuse: true,
  about: 'asks for a token with a wrong secret, and as an unknown client',
  roles,
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
})
