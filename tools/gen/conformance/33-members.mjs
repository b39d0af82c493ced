/** Organizations and their members. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Organizations',
      rules: [
        ['`GET /api/orgs`, `POST /api/orgs` (201, the caller is its owner; with a key 403 `api_key_cannot_create_org`)', null],
        ['`GET /api/orgs/{organization_id}`, `PATCH /api/orgs/{organization_id}` `{name, publish_review, ordering}` by owners', null],
        ['`POST /api/orgs/{organization_id}/close`: password, `closing`, `closes_at` after `SLUICE_CLOSE_RECOVERY` (30 days); 401 `wrong_password`; 409 `org_closing`', null],
        ['`POST /api/orgs/{organization_id}/reopen`; 409 `organization_not_closing`', null],
        ['While closing: event API 423 `org_closing`, no invitations, reads and exports work; afterwards `closed`: 409 `organization_closed`', null],
        ['403 `wrong_active_org` for another organization of the caller, 404 where he is no member', null],
        ['Without an organization: 403 `no_active_organization` but for the account, `GET /api/me`, `GET /api/orgs`, a new organization and invitations', null],
      ],
    },
    {
      title: 'Members and invitations',
      rules: [
        ['`GET /api/orgs/{organization_id}/members`: every member reads', null],
        ['`PATCH /api/orgs/{organization_id}/members/{user_id}`, `DELETE /api/orgs/{organization_id}/members/{user_id}`: owners, oneself; 409 `last_owner`; at once (`not_a_member`)', null],
        ['`POST /api/orgs/{organization_id}/invitations` `{email, role}`: 201, the token travels by mail; 409 `already_member`; 402 `seat_limit_reached`', null],
        ['`GET /api/orgs/{organization_id}/invitations`, `DELETE /api/orgs/{organization_id}/invitations/{invitation_id}`: owners', null],
        ['`POST /api/invitations/{token}/accept`: a new account, or the session of the account; 403 `invitation_for_other_account`', null],
        ['404 `invitation_not_found`; 410 `invitation_revoked`, `invitation_expired` (`SLUICE_INVITATION_TTL`, 7 days), `invitation_accepted`', null],
        ['402 `seat_limit_reached` on invite and again on accept; open invitations count', null],
      ],
    },
  ],
};
