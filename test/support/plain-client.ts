/** A plain HTTP client with a token, like curl. */

export interface PlainAnswer {
  readonly status: number
  readonly text: string
  readonly json: Record<string, unknown>
}

export type PlainClient = (method: string, path: string, body?: unknown) => Promise<PlainAnswer>

export async function clientAt(base: string): Promise<PlainClient> {
  const form = { grant_type: 'client_credentials', client_id: 'subject', client_secret: 'secret' }
  const issued = await fetch(`${base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  return async (method, path, body) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status: response.status, text, json }
  }
}
