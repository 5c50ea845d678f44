/** Reads one capability from a partner manifest, in either notation of the protocol, or says why it cannot be used. */
import { z } from 'zod'

const Side = z.looseObject({
  supported: z.boolean().default(true),
  supportsWebhook: z.boolean().optional(),
  supportsPolling: z.boolean().optional(),
})

const Declaration = z.looseObject({
  supported: z.boolean().default(true),
  role: z.enum(['ORIGINATOR', 'RECEIVER', 'BOTH']).optional(),
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  trackingMode: z.enum(['push', 'pull']).optional(),
  originator: Side.optional(),
  receiver: Side.optional(),
})

const Manifest = z.looseObject({
  participantId: z.string().min(1),
  protocolVersion: z.string().min(1),
  protocol: z.looseObject({ supportedVersions: z.array(z.string()).min(1) }),
  authentication: z.looseObject({
    supportedGrantTypes: z.array(z.string()).min(1),
    clientIdGeneration: z.array(z.enum(['by_app', 'by_merchant'])).min(1),
  }),
  capabilities: z.union([
    z.array(Declaration.extend({ name: z.string() })),
    z.record(z.string(), Declaration),
  ]),
})

export interface DeclaredCapability {
  /** The base URL of the capability; absent when the manifest declares none. */
  readonly endpoint?: string
  readonly supportsPolling: boolean
  readonly supportsWebhook: boolean
  readonly trackingMode?: 'push' | 'pull'
}

export type ManifestResult =
  | { readonly declared: DeclaredCapability }
  | { readonly problem: string }

/** Supported protocol versions: any release of V2. */
const isSupportedVersion = (version: string): boolean => /^v?2(\.|$)/i.test(version.trim())

export function readManifest(
  value: unknown,
  capability: string,
  side: 'originator' | 'receiver',
): ManifestResult {
  const read = Manifest.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    return { problem: `wrong at ${issue?.path.join('.') || 'its root'}: ${issue?.message}` }
  }
  const { capabilities, protocol, authentication } = read.data
  if (!protocol.supportedVersions.some(isSupportedVersion)) return { problem: 'no common version' }
  if (!authentication.supportedGrantTypes.includes('client_credentials'))
    return { problem: 'no way to a token that we know' }
  const declaration = Array.isArray(capabilities)
    ? capabilities.find(({ name }) => name === capability)
    : capabilities[capability]
  const block = declaration?.[side]
  if (!declaration?.supported || block?.supported === false)
    return { problem: `no ${capability} as ${side}` }
  const { endpoint, baseUrl, trackingMode } = declaration
  const base = capability === 'logistics' ? (baseUrl ?? endpoint) : (endpoint ?? baseUrl)
  return {
    declared: {
      ...(base === undefined ? {} : { endpoint: base.replace(/\/+$/, '') }),
      supportsPolling: block?.supportsPolling ?? true,
      supportsWebhook: block?.supportsWebhook ?? true,
      ...(trackingMode ? { trackingMode } : {}),
    },
  }
}
