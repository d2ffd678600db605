/** Who signs a call, once it is written. */
export type Signer = 'stripe' | 'mail'

export interface Call {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  /** Where it is signed before it is sent. */
  signer?: Signer | undefined
}

export interface Answer {
  status: number
  type: string
  text: string
}
