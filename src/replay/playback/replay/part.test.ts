/** A part of a recording is replayed: from an exchange on, or one alone, and what its ids then are. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { webhookRecording } from '../../../../test/support/webhook-recording.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { replayRecording } from './library.ts'

const account = 'a-7f3e9b21c4d8'

const json = [['content-type', 'application/json']] as const

/** The subject assigns an account id in a reply, and is asked for that account. */
function accountRecording(): RecordingContent {
  const content = webhookRecording(0)
  const [party] = content.header._rec.parties
  const header = {
    ...content.header,
    _rec: { ...content.header._rec, parties: party ? [{ ...party, role: 'crm' as const }] : [] },
  }
  const common = {
    from: { role: 'ordering-application', party: 'sparring' },
    to: { role: 'crm', party: 'subject' },
  } as const
  const base = 'http://shop.test'
  const list = sampleExchange(1, {
    ...common,
    operation: 'listCustomerLoyaltyAccounts',
    request: { method: 'GET', url: `${base}/customers/c-1/loyalty-accounts`, headers: [] },
    reply: { status: 200, headers: json, body: JSON.stringify({ items: [{ id: account }] }) },
  })
  const read = sampleExchange(2, {
    ...common,
    operation: 'getLoyaltyAccountById',
    params: { accountId: account },
    request: { method: 'GET', url: `${base}/loyalty/accounts/${account}`, headers: [] },
    reply: { status: 200, headers: json, body: JSON.stringify({ id: account }) },
  })
  const exchanges = [list, read].map(({ orderId: _orderId, ...each }) => ({
    ...each,
    recordId: `r${each.seq}`,
  }))
  return { ...content, header, exchanges }
}

async function asked(options: { from?: number; sameIds?: true; alone?: number }) {
  const urls: string[] = []
  const { alone, ...rest } = options
  const report = await replayRecording({
    recording: accountRecording(),
    to: (request) => {
      if (request.url.endsWith('/oauth/token'))
        return Promise.resolve(Response.json({ access_token: 't', expires_in: 3600 }))
      urls.push(new URL(request.url).pathname)
      return Promise.resolve(Response.json({ id: account }))
    },
    ...(alone === undefined ? {} : { only: ({ seq }) => seq === alone }),
    ...rest,
  })
  return { urls, standings: report.exchanges.map(({ standing }) => standing) }
}

test('an id that only an earlier exchange could teach is not known', async () => {
  expect(await asked({ from: 2 })).toEqual({ urls: [], standings: ['unresolved'] })
})

test.each([{ from: 2 }, { alone: 2 }])(
  'with the same ids it is what the service has from the recording: %j',
  async (part) => {
    expect(await asked({ ...part, sameIds: true })).toEqual({
      urls: [`/loyalty/accounts/${account}`],
      standings: ['same'],
    })
  },
)

test('a part that has nothing to be sent is refused', async () => {
  await expect(asked({ from: 3 })).rejects.toThrow(
    "nothing that --only or --from leaves of it was sent to the CRM. Name what was sent to it, such as '#1'.",
  )
})
