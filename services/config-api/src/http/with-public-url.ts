/** What makes links. */
export interface WithPublicUrl {
  /** Base of the links handed out, without a trailing slash. Asked late: the port may be known only after the start. */
  publicUrl(): string;
}
