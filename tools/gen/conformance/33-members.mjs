/** Organizations and their members. */
const features = 'services/config-api/src/features';

const tests = {
  members: `${features}/members/members.integration.test.ts`,
  organizations: `${features}/organizations/organizations.integration.test.ts`,
  'config store, invitations': 'packages/ports/src/testing/config-store/config-store-invitation-tests.ts',
  'config store, members': 'packages/ports/src/testing/config-store/config-store-member-tests.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Organizations',
      rules: [
        ['`GET /api/orgs`, `POST /api/orgs` (201, the caller is its owner)', 'organizations are listed, oldest first; a new one is his, and does not become the active one'],
        ['with an organization key: its own one, and 403 `api_key_cannot_create_org`', 'organizations cannot be added to by an organization key, which sees its own'],
        ['A second organization of an address or mail domain starts on `free`', 'organizations have one trial between them: a second organization starts on free'],
        ['`GET /api/orgs/{organization_id}`, `PATCH /api/orgs/{organization_id}` `{name, publish_review, ordering}` by owners', 'organizations is read by every member, and changed by owners'],
        ['403 `wrong_active_org` for another organization of the caller, 404 where he is no member', 'organizations that is not the active one can be read; everything else needs it to be active'],
        ['`POST /api/orgs/{organization_id}/close`: password, `closing`, `closes_at`; 401 `wrong_password`; 409 `org_closing`; `POST /api/orgs/{organization_id}/reopen`; 409 `organization_not_closing`', 'organizations needs the password, and begins 30 days in which it can be reopened'],
        ['While closing no invitation is made or taken', 'organizations takes and makes no invitations meanwhile'],
        ['After the period (`SLUICE_CLOSE_RECOVERY`) it is `closed`: 409 `organization_closed`', 'organizations ends by itself: then it is closed for good, and its invitations are gone'],
        ['Without an organization: 403 `no_active_organization` but for the account, `GET /api/me`, `GET /api/orgs` and a new organization', 'organizations may sign in, see himself and make one; everything else is refused'],
        ['Who was removed and has another organization: 403 `not_a_member`', 'organizations who has another one is no member of the first any more, and can go to the other'],
      ],
    },
    {
      title: 'Members and invitations',
      rules: [
        ['`GET /api/orgs/{organization_id}/members`: every member reads', 'members are listed to every member, oldest first'],
        ['`PATCH /api/orgs/{organization_id}/members/{user_id}`: owners; 409 `last_owner`', 'members get another role from their next request on; the last owner stays one'],
        ['`DELETE /api/orgs/{organization_id}/members/{user_id}`: owners, oneself; at once', 'members leave or are removed at once, and keys that they made stay'],
        ['One owner is left, whoever leaves at the same moment', 'config store, members leaves one owner when two leave, or demote each other, at the same moment'],
        ['`POST /api/orgs/{organization_id}/invitations` `{email, role}`: 201, the token travels by mail; `GET /api/orgs/{organization_id}/invitations`, `DELETE /api/orgs/{organization_id}/invitations/{invitation_id}`', 'members sends the token by mail only; the list shows open invitations'],
        ['Inviting again replaces the invitation; 409 `already_member`; only owners invite', 'members again replaces the invitation; a member is refused; only owners invite'],
        ['`POST /api/invitations/{token}/accept` makes a verified account that is signed in', 'members makes a verified account, a member that is signed in'],
        ['or needs the session of the account; 403 `invitation_for_other_account`', 'members by an account needs its session, and never changes its password'],
        ['404 `invitation_not_found`; 410 `invitation_revoked`, `invitation_expired` (`SLUICE_INVITATION_TTL`, 7 days)', 'members with an unknown, revoked or expired token is refused'],
        ['410 `invitation_accepted`; one of two at the same moment wins', 'config store, invitations is accepted once, also by two at the same moment'],
        ['An invitation ends with the right of its inviter', 'members an invitation ends with the right of its inviter'],
        ['402 `seat_limit_reached` on invite and again on accept; open invitations count', 'members takes a seat, which the plan must still have; a refusal leaves the invitation open'],
        ['Names in mails are one line of 64 characters without links; links begin with `SLUICE_PUBLIC_URL`', 'members the mail names organization and inviter, and its link begins with the public address'],
        ['The token of an invitation is in no log line', 'members the token is in no log line'],
      ],
    },
  ],
};
