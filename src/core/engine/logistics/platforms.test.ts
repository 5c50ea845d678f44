/** How a consumer judges a further platform's manifest. */
import { expect, test } from 'vitest'
import { transcript } from '../../../../test/support/transcript.ts'
import type { OutgoingCall } from '../calls/call.ts'
import { readPlatformAnswer } from './platforms.ts'

const question: OutgoingCall = {
  id: 1,
  requestId: 'r',
  from: 'ordering-application',
  to: 'delivery-platform',
  platform: 1,
  operation: 'getManifest',
  attempt: 1,
}

function judged(...supportedVersions: readonly string[]): string | undefined {
  const { world, settings } = transcript().engine
  const context = { world, settings } as Parameters<typeof readPlatformAnswer>[2]
  const body = {
    participantId: 'other-platform',
    protocolVersion: supportedVersions[0],
    protocol: { supportedVersions },
    authentication: {
      supportedGrantTypes: ['client_credentials'],
      clientIdGeneration: ['by_app'],
    },
    capabilities: { logistics: { supported: true } },
  }
  return readPlatformAnswer(question, { kind: 'answered', status: 200, body }, context)[0]?.kind
}

test('[MIG-VER-03, MIG-UND-01] a further platform is accepted by its major version, in every notation', () => {
  expect(judged('v2')).toBe('shipment.platform-accepted')
  expect(judged('2.0.0')).toBe('shipment.platform-accepted')
  expect(judged('v1', 'V2.0.0')).toBe('shipment.platform-accepted')
  expect(judged('v1', '3.0.0')).toBe('shipment.platform-rejected')
})
