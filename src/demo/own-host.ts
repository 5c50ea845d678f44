/** Endpoints that every participant hosts: manifest, token, merchants. */
import type { AccessControl } from './access-control.ts'
import { manifestReply, type OwnCapability } from './own-manifest.ts'
import type { Merchant } from './partner.ts'
import { reply, type Route } from './routes.ts'

export interface OwnHostParts {
  readonly participantId: string
  /** Last segment of /.well-known/. */
  readonly protocol: string
  readonly capabilities: readonly OwnCapability[]
  readonly access: AccessControl
  readonly merchants: () => readonly Merchant[]
}

const pageOf = (merchants: readonly Merchant[]) => ({
  merchants: merchants.map((each) => ({ ...each, status: 'OPEN' })),
  pagination: { page: 1, pageSize: merchants.length, totalItems: merchants.length, totalPages: 1 },
})

export const participantRoutes = (parts: OwnHostParts): readonly Route[] => [
  {
    method: 'GET',
    path: `/.well-known/${parts.protocol}`,
    answer: () => manifestReply(parts.participantId, parts.capabilities),
  },
  { method: 'POST', path: '/oauth/token', answer: parts.access.issueToken },
  {
    method: 'GET',
    path: '/merchants',
    answer: ({ request }) => parts.access.denial(request) ?? reply(200, pageOf(parts.merchants())),
  },
]
