/** Endpoints that every participant hosts: manifest, token, merchants. */
import type { AccessControl } from './access-control.ts'
import type { Merchant } from './partner.ts'
import { reply, type Route } from './routes.ts'

export interface OwnCapability {
  readonly name: string
  readonly role: 'ORIGINATOR' | 'RECEIVER'
  readonly operations: readonly string[]
  readonly [field: string]: unknown
}

/** The public manifest of a reference service, in the array notation of the protocol. */
const manifestReply = (participantId: string, capabilities: readonly OwnCapability[]): Response =>
  reply(
    200,
    {
      participantId,
      protocolVersion: 'v2',
      protocol: { supportedVersions: ['v2'] },
      authentication: {
        supportedGrantTypes: ['client_credentials'],
        clientIdGeneration: ['by_app'],
      },
      capabilities: capabilities.map((each) => ({ version: 'v2', supported: true, ...each })),
    },
    { 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' },
  )

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
