/** The public manifest of a reference service, in the array notation of the protocol. */
import { reply } from './routes.ts'

export interface OwnCapability {
  readonly name: string
  readonly role: 'ORIGINATOR' | 'RECEIVER'
  readonly operations: readonly string[]
  readonly [field: string]: unknown
}

export const manifestReply = (
  participantId: string,
  capabilities: readonly OwnCapability[],
): Response =>
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
