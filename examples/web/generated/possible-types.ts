
      export interface PossibleTypesResultData {
        possibleTypes: {
          [key: string]: string[]
        }
      }
      const result: PossibleTypesResultData = {
  "possibleTypes": {
    "AcceptFollowerResult": [
      "AcceptFollowerPayload",
      "OperationError"
    ],
    "AddChannelMembersResult": [
      "AddChannelMembersPayload",
      "OperationError"
    ],
    "AddChannelRoleResult": [
      "AddChannelRolePayload",
      "OperationError"
    ],
    "AddCommunityMembersResult": [
      "AddCommunityMembersPayload",
      "OperationError"
    ],
    "AddCommunityRolesResult": [
      "AddCommunityRolesPayload",
      "OperationError"
    ],
    "AddLiveReactionsResult": [
      "AddLiveReactionsPayload",
      "OperationError"
    ],
    "AddReactionResult": [
      "AddReactionPayload",
      "OperationError"
    ],
    "AddRoomParticipantsResult": [
      "AddRoomParticipantsPayload",
      "OperationError"
    ],
    "AddUserRolesResult": [
      "AddUserRolesPayload",
      "OperationError"
    ],
    "ApproveJoinRequestResult": [
      "ApproveJoinRequestPayload",
      "OperationError"
    ],
    "ApprovePostResult": [
      "ApprovePostPayload",
      "OperationError"
    ],
    "AssignNetworkRolesResult": [
      "AssignNetworkRolesPayload",
      "OperationError"
    ],
    "BanChannelMembersResult": [
      "BanChannelMembersPayload",
      "OperationError"
    ],
    "BanCommunityMembersResult": [
      "BanCommunityMembersPayload",
      "OperationError"
    ],
    "BanUserResult": [
      "BanUserPayload",
      "OperationError"
    ],
    "BlockUserResult": [
      "BlockUserPayload",
      "OperationError"
    ],
    "CancelJoinRequestResult": [
      "CancelJoinRequestPayload",
      "OperationError"
    ],
    "ChangePollVoteResult": [
      "ChangePollVotePayload",
      "OperationError"
    ],
    "ClearCommentFlagsResult": [
      "ClearCommentFlagsPayload",
      "OperationError"
    ],
    "ClearMessageFlagsResult": [
      "ClearMessageFlagsPayload",
      "OperationError"
    ],
    "ClearPostFlagsResult": [
      "ClearPostFlagsPayload",
      "OperationError"
    ],
    "ClearStoryFlagsResult": [
      "ClearStoryFlagsPayload",
      "OperationError"
    ],
    "ClearUserFlagsResult": [
      "ClearUserFlagsPayload",
      "OperationError"
    ],
    "ClosePollResult": [
      "ClosePollPayload",
      "OperationError"
    ],
    "CommentContent": [
      "CustomCommentContent",
      "ImageCommentContent",
      "TextCommentContent"
    ],
    "CommentReference": [
      "Post",
      "Story"
    ],
    "ConsumeLoginLinkResult": [
      "ConsumeLoginLinkPayload",
      "OperationError"
    ],
    "CreateCategoryResult": [
      "CreateCategoryPayload",
      "OperationError"
    ],
    "CreateChannelResult": [
      "CreateChannelPayload",
      "OperationError"
    ],
    "CreateCommentResult": [
      "CreateCommentPayload",
      "OperationError"
    ],
    "CreateCommunityResult": [
      "CreateCommunityPayload",
      "OperationError"
    ],
    "CreateConversationResult": [
      "CreateConversationPayload",
      "OperationError"
    ],
    "CreateKeyResult": [
      "CreateKeyPayload",
      "OperationError"
    ],
    "CreateMessageFeedResult": [
      "CreateMessageFeedPayload",
      "OperationError"
    ],
    "CreatePollResult": [
      "CreatePollPayload",
      "OperationError"
    ],
    "CreatePostResult": [
      "CreatePostPayload",
      "OperationError"
    ],
    "CreateRoleResult": [
      "CreateRolePayload",
      "OperationError"
    ],
    "CreateRoomResult": [
      "CreateRoomPayload",
      "OperationError"
    ],
    "CreateSessionResult": [
      "CreateSessionPayload",
      "OperationError"
    ],
    "CreateStoryResult": [
      "CreateStoryPayload",
      "OperationError"
    ],
    "CreateVideoStreamResult": [
      "CreateVideoStreamPayload",
      "OperationError"
    ],
    "CreateVisitorSessionResult": [
      "CreateVisitorSessionPayload",
      "OperationError"
    ],
    "CreateWebhookEndpointResult": [
      "CreateWebhookEndpointPayload",
      "OperationError"
    ],
    "DeclinePostResult": [
      "DeclinePostPayload",
      "OperationError"
    ],
    "DeleteCategoryResult": [
      "DeleteCategoryPayload",
      "OperationError"
    ],
    "DeleteChannelResult": [
      "DeleteChannelPayload",
      "OperationError"
    ],
    "DeleteCommentResult": [
      "DeleteCommentPayload",
      "OperationError"
    ],
    "DeleteCommunityResult": [
      "DeleteCommunityPayload",
      "OperationError"
    ],
    "DeleteFileResult": [
      "DeleteFilePayload",
      "OperationError"
    ],
    "DeleteMessageFeedResult": [
      "DeleteMessageFeedPayload",
      "OperationError"
    ],
    "DeleteMessageResult": [
      "DeleteMessagePayload",
      "OperationError"
    ],
    "DeletePollResult": [
      "DeletePollPayload",
      "OperationError"
    ],
    "DeletePostResult": [
      "DeletePostPayload",
      "OperationError"
    ],
    "DeleteRoleResult": [
      "DeleteRolePayload",
      "OperationError"
    ],
    "DeleteRoomResult": [
      "DeleteRoomPayload",
      "OperationError"
    ],
    "DeleteStoryResult": [
      "DeleteStoryPayload",
      "OperationError"
    ],
    "DeleteUserResult": [
      "DeleteUserPayload",
      "OperationError"
    ],
    "DeleteVideoStreamResult": [
      "DeleteVideoStreamPayload",
      "OperationError"
    ],
    "DeleteWebhookEndpointResult": [
      "DeleteWebhookEndpointPayload",
      "OperationError"
    ],
    "DisableWebhookEndpointResult": [
      "DisableWebhookEndpointPayload",
      "OperationError"
    ],
    "EnableWebhookEndpointResult": [
      "EnableWebhookEndpointPayload",
      "OperationError"
    ],
    "EraseUserResult": [
      "EraseUserPayload",
      "OperationError"
    ],
    "Event": [
      "CategoryEvent",
      "ChannelEvent",
      "ChannelUsersEvent",
      "CommentEvent",
      "CommentReactionEvent",
      "CommunityEvent",
      "CommunityUsersEvent",
      "FeedMarkerEvent",
      "FileEvent",
      "FollowEvent",
      "JoinRequestEvent",
      "LiveReactionEvent",
      "MarkerEvent",
      "MessageEvent",
      "MessageFeedEvent",
      "MessageReactionEvent",
      "PollEvent",
      "PostEvent",
      "PostReactionEvent",
      "RoleEvent",
      "RoomEvent",
      "RoomParticipantEvent",
      "StoryEvent",
      "StoryReactionEvent",
      "UserEvent",
      "VideoStreamEvent"
    ],
    "ExchangeLoginCodeResult": [
      "ExchangeLoginCodePayload",
      "OperationError"
    ],
    "ExportUserResult": [
      "ExportUserPayload",
      "OperationError"
    ],
    "FlagCommentResult": [
      "FlagCommentPayload",
      "OperationError"
    ],
    "FlagMessageResult": [
      "FlagMessagePayload",
      "OperationError"
    ],
    "FlagPostResult": [
      "FlagPostPayload",
      "OperationError"
    ],
    "FlagStoryResult": [
      "FlagStoryPayload",
      "OperationError"
    ],
    "FlagUserResult": [
      "FlagUserPayload",
      "OperationError"
    ],
    "FollowUserResult": [
      "FollowUserPayload",
      "OperationError"
    ],
    "JoinChannelResult": [
      "JoinChannelPayload",
      "OperationError"
    ],
    "JoinCommunityResult": [
      "JoinCommunityPayload",
      "OperationError"
    ],
    "KeepReadingResult": [
      "KeepReadingPayload",
      "OperationError"
    ],
    "LeaveChannelResult": [
      "LeaveChannelPayload",
      "OperationError"
    ],
    "LeaveCommunityResult": [
      "LeaveCommunityPayload",
      "OperationError"
    ],
    "MarkChannelReadResult": [
      "MarkChannelReadPayload",
      "OperationError"
    ],
    "MarkChannelsSeenResult": [
      "MarkChannelsSeenPayload",
      "OperationError"
    ],
    "MarkDeliveringResult": [
      "MarkDeliveringPayload",
      "OperationError"
    ],
    "MarkReadResult": [
      "MarkReadPayload",
      "OperationError"
    ],
    "MarkStorySeenResult": [
      "MarkStorySeenPayload",
      "OperationError"
    ],
    "MessageContent": [
      "CustomMessageContent",
      "FileMessageContent",
      "TextMessageContent"
    ],
    "MintAuthTokenResult": [
      "MintAuthTokenPayload",
      "OperationError"
    ],
    "ModerationContent": [
      "Comment",
      "Message",
      "Post",
      "Story",
      "User"
    ],
    "MuteChannelMembersResult": [
      "MuteChannelMembersPayload",
      "OperationError"
    ],
    "MuteChannelResult": [
      "MuteChannelPayload",
      "OperationError"
    ],
    "Node": [
      "AuditEntry",
      "Category",
      "Channel",
      "ChannelUser",
      "Comment",
      "Community",
      "CommunityUser",
      "Feed",
      "FeedMarker",
      "File",
      "JoinRequest",
      "Message",
      "MessageFeed",
      "MessageMarker",
      "Pin",
      "PinTarget",
      "Poll",
      "Post",
      "Reaction",
      "Role",
      "Room",
      "Story",
      "StoryTarget",
      "User",
      "UserEntityMarker",
      "UserFeedMarker",
      "UserMarker",
      "VideoStream",
      "WebhookDelivery",
      "WebhookEndpoint"
    ],
    "PinPostResult": [
      "OperationError",
      "PinPostPayload"
    ],
    "ProvideVideoStreamResult": [
      "OperationError",
      "ProvideVideoStreamPayload"
    ],
    "Reactable": [
      "Comment",
      "Post",
      "Story"
    ],
    "ReactionReference": [
      "Comment",
      "Message",
      "Post",
      "Story"
    ],
    "RecordRoomResult": [
      "OperationError",
      "RecordRoomPayload"
    ],
    "RecordVideoStreamResult": [
      "OperationError",
      "RecordVideoStreamPayload"
    ],
    "RecordViewsResult": [
      "OperationError",
      "RecordViewsPayload"
    ],
    "RefreshSessionResult": [
      "OperationError",
      "RefreshSessionPayload"
    ],
    "RegisterPushDeviceResult": [
      "OperationError",
      "RegisterPushDevicePayload"
    ],
    "RejectJoinRequestResult": [
      "OperationError",
      "RejectJoinRequestPayload"
    ],
    "RemoveChannelMembersResult": [
      "OperationError",
      "RemoveChannelMembersPayload"
    ],
    "RemoveChannelRoleResult": [
      "OperationError",
      "RemoveChannelRolePayload"
    ],
    "RemoveCommunityMembersResult": [
      "OperationError",
      "RemoveCommunityMembersPayload"
    ],
    "RemoveCommunityRolesResult": [
      "OperationError",
      "RemoveCommunityRolesPayload"
    ],
    "RemoveFollowerResult": [
      "OperationError",
      "RemoveFollowerPayload"
    ],
    "RemoveReactionResult": [
      "OperationError",
      "RemoveReactionPayload"
    ],
    "RemoveRoomParticipantsResult": [
      "OperationError",
      "RemoveRoomParticipantsPayload"
    ],
    "RemoveUserRolesResult": [
      "OperationError",
      "RemoveUserRolesPayload"
    ],
    "RenameKeyResult": [
      "OperationError",
      "RenameKeyPayload"
    ],
    "ReplayWebhookDeliveryResult": [
      "OperationError",
      "ReplayWebhookDeliveryPayload"
    ],
    "ReplayWebhookEventsResult": [
      "OperationError",
      "ReplayWebhookEventsPayload"
    ],
    "ReportRoomResult": [
      "OperationError",
      "ReportRoomPayload"
    ],
    "ResolveModerationItemResult": [
      "OperationError",
      "ResolveModerationItemPayload"
    ],
    "ResolveModerationItemsResult": [
      "OperationError",
      "ResolveModerationItemsPayload"
    ],
    "RetireKeyResult": [
      "OperationError",
      "RetireKeyPayload"
    ],
    "RevokeAllSessionsResult": [
      "OperationError",
      "RevokeAllSessionsPayload"
    ],
    "RevokeSessionResult": [
      "OperationError",
      "RevokeSessionPayload"
    ],
    "RevokeSessionsResult": [
      "OperationError",
      "RevokeSessionsPayload"
    ],
    "RotateKeyResult": [
      "OperationError",
      "RotateKeyPayload"
    ],
    "RotateWebhookSecretResult": [
      "OperationError",
      "RotateWebhookSecretPayload"
    ],
    "SendMessageResult": [
      "OperationError",
      "SendMessagePayload"
    ],
    "SendTestPingResult": [
      "OperationError",
      "SendTestPingPayload"
    ],
    "SetChannelRateLimitResult": [
      "OperationError",
      "SetChannelRateLimitPayload"
    ],
    "SetRoomModerationResult": [
      "OperationError",
      "SetRoomModerationPayload"
    ],
    "StartRoomResult": [
      "OperationError",
      "StartRoomPayload"
    ],
    "StartVideoStreamResult": [
      "OperationError",
      "StartVideoStreamPayload"
    ],
    "StopReadingResult": [
      "OperationError",
      "StopReadingPayload"
    ],
    "StopRoomResult": [
      "OperationError",
      "StopRoomPayload"
    ],
    "StopVideoStreamResult": [
      "OperationError",
      "StopVideoStreamPayload"
    ],
    "SwitchWebhooksResult": [
      "OperationError",
      "SwitchWebhooksPayload"
    ],
    "SyncMarkersResult": [
      "OperationError",
      "SyncMarkersPayload"
    ],
    "UnbanChannelMembersResult": [
      "OperationError",
      "UnbanChannelMembersPayload"
    ],
    "UnbanCommunityMembersResult": [
      "OperationError",
      "UnbanCommunityMembersPayload"
    ],
    "UnbanUserResult": [
      "OperationError",
      "UnbanUserPayload"
    ],
    "UnblockUserResult": [
      "OperationError",
      "UnblockUserPayload"
    ],
    "UnflagCommentResult": [
      "OperationError",
      "UnflagCommentPayload"
    ],
    "UnflagMessageResult": [
      "OperationError",
      "UnflagMessagePayload"
    ],
    "UnflagPostResult": [
      "OperationError",
      "UnflagPostPayload"
    ],
    "UnflagStoryResult": [
      "OperationError",
      "UnflagStoryPayload"
    ],
    "UnflagUserResult": [
      "OperationError",
      "UnflagUserPayload"
    ],
    "UnfollowUserResult": [
      "OperationError",
      "UnfollowUserPayload"
    ],
    "UnpinPostResult": [
      "OperationError",
      "UnpinPostPayload"
    ],
    "UnregisterPushDeviceResult": [
      "OperationError",
      "UnregisterPushDevicePayload"
    ],
    "UnvotePollResult": [
      "OperationError",
      "UnvotePollPayload"
    ],
    "UpdateCategoryResult": [
      "OperationError",
      "UpdateCategoryPayload"
    ],
    "UpdateChannelResult": [
      "OperationError",
      "UpdateChannelPayload"
    ],
    "UpdateCommentResult": [
      "OperationError",
      "UpdateCommentPayload"
    ],
    "UpdateCommunityResult": [
      "OperationError",
      "UpdateCommunityPayload"
    ],
    "UpdateContentRulesResult": [
      "OperationError",
      "UpdateContentRulesPayload"
    ],
    "UpdateDeepLinksResult": [
      "OperationError",
      "UpdateDeepLinksPayload"
    ],
    "UpdateFileResult": [
      "OperationError",
      "UpdateFilePayload"
    ],
    "UpdateMessageFeedResult": [
      "OperationError",
      "UpdateMessageFeedPayload"
    ],
    "UpdateMessageResult": [
      "OperationError",
      "UpdateMessagePayload"
    ],
    "UpdateNetworkSettingsResult": [
      "OperationError",
      "UpdateNetworkSettingsPayload"
    ],
    "UpdatePollResult": [
      "OperationError",
      "UpdatePollPayload"
    ],
    "UpdatePostResult": [
      "OperationError",
      "UpdatePostPayload"
    ],
    "UpdateRoleResult": [
      "OperationError",
      "UpdateRolePayload"
    ],
    "UpdateRoomResult": [
      "OperationError",
      "UpdateRoomPayload"
    ],
    "UpdateSocialSettingsResult": [
      "OperationError",
      "UpdateSocialSettingsPayload"
    ],
    "UpdateUserResult": [
      "OperationError",
      "UpdateUserPayload"
    ],
    "UpdateVideoStreamResult": [
      "OperationError",
      "UpdateVideoStreamPayload"
    ],
    "UpdateWebhookEndpointResult": [
      "OperationError",
      "UpdateWebhookEndpointPayload"
    ],
    "UploadFilesResult": [
      "OperationError",
      "UploadFilesPayload"
    ],
    "VotePollResult": [
      "OperationError",
      "VotePollPayload"
    ]
  }
};
      export default result;
    