/** Endpoints that every participant hosts: manifest, token, merchants. */
import type { Access } from './access.ts'
import { ownManifest, type OwnCapability } from './own-manifest.ts'
import type { Merchant } from './partner.ts'
import { reply, type Route } from './routes.ts'

export interface OwnHostParts {
  readonly participantId: string
  /** Last segment of /.well-known/. */
  readonly protocol: string
  readonly capabilities: readonly OwnCapability[]
  readonly access: Access
  readonly merchants: () => readonly Merchant[]
}

const pageOf = (merchants: readonly Merchant[]) => ({
  merchants: merchants.map((each) => ({ ...each, status: 'OPEN' })),
  pagination: { page: 1, pageSize: merchants.length, totalItems: merchants.length, totalPages: 1 },
})

export const ownRoutes = (parts: OwnHostParts): readonly Route[] => [
  {
    method: 'GET',
    path: `/.well-known/${parts.protocol}`,
    answer: () => ownManifest(parts.participantId, parts.capabilities),
  },
  { method: 'POST', path: '/oauth/token', answer: parts.access.issue },
  {
    method: 'GET',
    path: '/merchants',
    answer: ({ request }) => parts.access.refusal(request) ?? reply(200, pageOf(parts.merchants())),
  },
]
